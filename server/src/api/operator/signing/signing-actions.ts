import { z } from "zod";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { isArchivedMonth } from "../../../domain/ledger/archived-months.ts";
import { auditExport } from "../../../domain/signing/audit-export.ts";
import { browseSignedDays, readSigningState } from "../../../domain/signing/read-signing.ts";
import { signedStatement } from "../../../domain/signing/signed-statement.ts";
import { listPublicKeys } from "../../../domain/signing/signing-key.ts";
import { cellOfId, HOME_CELL } from "../../../platform/core/ids.ts";
import { indiaDate, indiaDateTime } from "../../../platform/core/india-time.ts";
import { archivedFile } from "../../sites/archived-months.ts";
import { numberListQuery, toPage, writeNumberCursor } from "../../sites/lists.ts";
import { pageOf, timeText } from "../../sites/outputs/output-fields.ts";
import {
  JSON_LINES,
  signedDayOutput,
  signedDayView,
  signedFileField,
  signingKeyOutput,
  signingKeyView,
} from "../../sites/outputs/signing-outputs.ts";
import { EVERYBODY } from "../access.ts";
import { type Action, action, streamAction } from "../action.ts";
import { download } from "../download.ts";
import { accountParams } from "../fields.ts";
import { noSuch } from "../refusal.ts";

/** How far the ledger is signed. */
const signingStateOutput = z
  .strictObject({
    due_day: z.string().nullable().describe("The last day in India that must be signed by now; null before the first."),
    behind: z.boolean().describe("Whether that day is not signed."),
    last_run: z
      .strictObject({
        run: z.int(),
        day: z.string(),
        accounts: z.int(),
        lines: z.int().describe("Transfers of the day."),
        hash: z.string().describe("SHA-256 of the signed text, as in the anchor file."),
        signed: z.string().describe("The exact text that the signature covers."),
        signature: z.string().describe("Ed25519, in Base64."),
        key_id: z.string(),
        signed_at: timeText,
      })
      .nullable(),
    keys: z.array(signingKeyOutput).readonly().describe("Oldest first; the last one signs."),
  })
  .meta({ id: "SigningState" });

type SigningFields = z.output<typeof signingStateOutput>;

/** Every cell signs by itself, with its own key. The run that is shown is that of the cell that is furthest behind. */
function mergeStates(states: readonly SigningFields[]): SigningFields {
  const last = (state: SigningFields) => state.last_run?.day ?? "";
  const [slowest] = states.toSorted((one, other) => (last(one) < last(other) ? -1 : 1));
  if (!slowest) throw new Error("There is no cell.");
  return { ...slowest, behind: states.some((state) => state.behind), keys: states.flatMap((state) => state.keys) };
}

const showSigning = action({
  path: "GET /signing",
  summary: "Shows the last signing run of the ledger and the public keys.",
  roles: EVERYBODY,
  output: signingStateOutput,
  cells: { kind: "sum", merge: mergeStates },
  handler: async ({ deps }) => {
    const [{ lastRun, dueDay, isBehind }, keys] = await Promise.all([
      readSigningState(deps.sql, deps.clock.now()),
      listPublicKeys(deps.sql),
    ]);
    return {
      due_day: dueDay,
      behind: isBehind,
      last_run: lastRun && {
        run: Number(lastRun.run),
        day: lastRun.day,
        accounts: lastRun.accounts,
        lines: Number(lastRun.lines),
        hash: lastRun.hash.toString("hex"),
        signed: lastRun.signed_text,
        signature: lastRun.signature.toString("base64"),
        key_id: lastRun.key_id,
        signed_at: indiaDateTime(lastRun.signed_at.getTime()),
      },
      keys: keys.map(signingKeyView),
    };
  },
});

const browseDays = action({
  path: "GET /accounts/:account_id/signed-days",
  summary: "Lists the signed days of an account's ledger, newest first.",
  roles: EVERYBODY,
  params: accountParams,
  query: numberListQuery,
  output: pageOf(signedDayOutput),
  handler: async ({ deps, params: { account_id: accountId }, query: { after, limit } }) => {
    if (!(await readAccount(deps, accountId))) return noSuch("account");
    const rows = await browseSignedDays(deps.sql, { accountId, before: after ?? null, limit: limit + 1 });
    return toPage(rows, limit, signedDayView, (row) => writeNumberCursor(row.number));
  },
});

const downloadSigned = streamAction({
  path: "GET /accounts/:account_id/signed-statements/:file",
  summary: "Downloads a month of an account's ledger with its signatures, for the stand-alone verifier.",
  roles: EVERYBODY,
  params: accountParams.extend({ file: signedFileField }),
  mediaType: JSON_LINES,
  handler: async ({ deps, caller, params: { account_id: accountId, file } }, reply) => {
    if (!(await readAccount(deps, accountId))) return noSuch("account");
    if (await isArchivedMonth(deps.sql, file.month)) return archivedFile(accountId, file.month);
    const range = { accountId, from: indiaDate(file.fromMilliseconds), to: indiaDate(file.toMilliseconds - 1) };
    const name = `signed-statement-${accountId}-${file.month}.jsonl`;
    const content = signedStatement(deps.longWork ?? deps.sql, range, new Date(deps.clock.now()));
    return download(deps, caller, reply, { name, mediaType: JSON_LINES, content });
  },
});

const exportAudit = streamAction({
  path: "GET /audit/export",
  summary: "Downloads the audit log with its hash chain and signatures, for the stand-alone verifier.",
  roles: EVERYBODY,
  query: z.object({
    cell: z.coerce.number().int().min(0).default(HOME_CELL).describe("With several cells: the cell whose log it is. 0 is home."),
  }),
  mediaType: JSON_LINES,
  handler: async ({ deps, caller, query: { cell } }, reply) => {
    const own = (deps.cells?.all() ?? [deps]).find(({ ids }) => cellOfId(ids.order(0)) === cell);
    if (!own) return noSuch("cell");
    const { clock, vault } = own;
    const name = `audit-${indiaDate(clock.now())}${cell === HOME_CELL ? "" : `.cell-${cell}`}.jsonl`;
    const content = auditExport({ sql: own.longWork ?? own.sql, clock, vault });
    return download(deps, caller, reply, { name, mediaType: JSON_LINES, content });
  },
});

/** Signed days of the ledger, and the signed export of the audit log. */
export const signingActions: readonly Action[] = [showSigning, browseDays, downloadSigned, exportAudit];
