import { stat } from "node:fs/promises";
import { rotateMasterKey } from "@corprail/server/domain/accounts/master-key/rotate-master-key";
import { APPROVAL_PAYLOADS } from "@corprail/server/domain/approvals/payload";
import { TOTP_SECRETS } from "@corprail/server/domain/auth/factors/totp";
import { CLIENT_SECRETS } from "@corprail/server/domain/auth/single-sign-on/identity-provider";
import { CELLS_BUSY, withMovesLock } from "@corprail/server/domain/cells/move/moves-lock";
import { DOCUMENT_KEYS } from "@corprail/server/domain/onboarding/documents";
import { PROVIDER_STATE } from "@corprail/server/domain/providers/plugin/state-store";
import { PROVIDER_SECRETS } from "@corprail/server/domain/providers/settings/provider-secrets";
import { AEPS_KEY } from "@corprail/server/domain/services/aeps/authentication/key";
import { BENEFICIARY_ACCOUNTS } from "@corprail/server/domain/services/transfers/beneficiaries/account-number";
import { SIGNING_KEYS } from "@corprail/server/domain/signing/signing-key";
import type { Sql } from "@corprail/server/platform/db/connection";
import { withOtherCells } from "./cell/find-cells.ts";
import { actor } from "./shared/actor.ts";
import { type Installation, withInstallation } from "./shared/load-installation.ts";
import { done, errorText, failed, type Outcome } from "./shared/outcome.ts";
import type { CommandContext } from "./shared/run-command.ts";

/** Replaces the master key while services run, or while none does. */
export async function rotateKey(ctx: CommandContext): Promise<Outcome> {
  return await withInstallation(ctx, (home) =>
    withOtherCells(ctx, home.sql, async (others) => {
      if (others.length === 0) return await rotateOn(ctx, home, []);
      // A move would copy rows of the old key into a cell that has none left.
      const run = () =>
        rotateOn(
          ctx,
          home,
          others.map(({ sql }) => sql),
        );
      return (await withMovesLock(home.sql, run)) ?? failed(CELLS_BUSY);
    }),
  );
}

async function rotateOn({ note }: CommandContext, installation: Installation, otherCells: readonly Sql[]): Promise<Outcome> {
  const { keyFile: path } = installation;
  const fault = await ownerFault(path);
  if (fault !== null) return failed(fault);
  note(`Rotating the master key in ${path}. Running services go on working; this takes a few seconds.`);
  const onProgress = (resealed: number) => note(`${resealed} sealed again`);
  try {
    const result = await rotateMasterKey(installation, actor(), {
      path,
      onProgress,
      otherCells,
      others: [
        ...[PROVIDER_SECRETS, PROVIDER_STATE, AEPS_KEY, BENEFICIARY_ACCOUNTS, TOTP_SECRETS, APPROVAL_PAYLOADS, SIGNING_KEYS],
        ...[DOCUMENT_KEYS, CLIENT_SECRETS],
      ],
    });
    if (result.kind === "conflict") return failed(result.reason);
    const words = `The master key is now ${result.keyId}; ${result.resealed} tokens and secrets were sealed again.`;
    return done(words, { key_id: result.keyId, resealed: result.resealed, key_file: path });
  } catch (error) {
    return failed(`The rotation stopped: ${errorText(error)}. Nothing is lost; run the command again to complete it.`);
  }
}

// The file is replaced by one of ours with mode 0600: as another user we would take it away from the service.
async function ownerFault(path: string): Promise<string | null> {
  const { uid } = await stat(path);
  const ours = process.getuid?.();
  return ours === undefined || ours === uid ? null : `The key file ${path} belongs to user ${uid}. Run this command as that user.`;
}
