import { z } from "zod";
import { changeLanguage } from "../../../domain/auth/change-language.ts";
import { EVERYBODY } from "../access.ts";
import { action, type PortalAction } from "../action.ts";

// The service does not know which languages the pages have, so that a further language is a matter of the pages alone.
const language = z
  .string()
  .regex(/^[a-z]{2,3}$/, "Must be an ISO 639 language code, such as hi.")
  .describe("An ISO 639 code, such as `en` or `hi`.");

const chooseLanguage = action({
  path: "POST /language",
  summary: "Stores the language that the user chose for the portal.",
  ofClient: true,
  roles: EVERYBODY,
  input: z.strictObject({ language }),
  output: z.strictObject({ language: z.string() }).meta({ id: "ChosenLanguage" }),
  handler: async ({ deps, session, input }) => {
    await changeLanguage(deps.auth, session.userId, input.language);
    return { language: input.language };
  },
});

export const languageActions: readonly PortalAction[] = [chooseLanguage];
