import type { AuthContext } from "./context.ts";
import { recordOwn } from "./record.ts";
import { lockUser, updateLanguage } from "./store.ts";

/** Stores the language that a user chose for the portal and for mails. */
export async function changeLanguage(ctx: AuthContext, userId: string, language: string): Promise<void> {
  await ctx.sql.begin(async (tx) => {
    const user = await lockUser(tx, ctx.realm, userId);
    if (!user || user.language === language) return;
    await updateLanguage(tx, userId, language, new Date(ctx.clock.now()));
    await recordOwn(tx, ctx, user, "language_changed", { from: user.language, to: language });
  });
}
