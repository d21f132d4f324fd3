import { z } from "zod";
import { isArchivedMonth } from "../../../domain/ledger/archived-months.ts";
import { browseSignedDays, listSignedMonths, readSigningState } from "../../../domain/signing/read-signing.ts";
import { signedStatement } from "../../../domain/signing/signed-statement.ts";
import { indiaDate } from "../../../platform/core/india-time.ts";
import { archivedFile } from "../../sites/archived-months.ts";
import { numberListQuery, toPage, writeNumberCursor } from "../../sites/lists.ts";
import { listOf } from "../../sites/outputs/output-fields.ts";
import {
  JSON_LINES,
  signedDayOutput,
  signedDayView,
  signedFileField,
  signingKeyOutput,
  signingKeyView,
} from "../../sites/outputs/signing-outputs.ts";
import { EVERYBODY, WORKERS } from "../access.ts";
import { action, type PortalAction, streamAction } from "../action.ts";

/** How far the account's ledger is signed, and with which key. */
const signingOutput = z
  .strictObject({
    last_day: z.string().nullable().describe("The last day in India that was signed; null before the first."),
    key: signingKeyOutput.nullable().describe("The key that signs; null before the first day."),
    months: z.array(z.string()).readonly().describe("The months with signed days, YYYY-MM, newest first."),
  })
  .meta({ id: "Signing" });

const showSigning = action({
  path: "GET /signing",
  summary: "Shows the public key that signs the ledger, and the months that can be downloaded.",
  roles: EVERYBODY,
  input: z.object({}),
  output: signingOutput,
  handler: async ({ deps, session: { accountId } }) => {
    const [{ lastRun, key }, months] = await Promise.all([
      readSigningState(deps.sql, deps.clock.now()),
      listSignedMonths(deps.sql, accountId),
    ]);
    return { last_day: lastRun?.day ?? null, key: key && signingKeyView(key), months };
  },
});

const browseDays = action({
  path: "GET /signed-days",
  summary: "Lists the signed days of the account's ledger, newest first.",
  roles: EVERYBODY,
  input: numberListQuery,
  output: listOf(signedDayOutput),
  handler: async ({ deps, session: { accountId }, input: { after, limit } }) => {
    const rows = await browseSignedDays(deps.sql, { accountId, before: after ?? null, limit: limit + 1 });
    const { items, next } = toPage(rows, limit, signedDayView, (row) => writeNumberCursor(row.number));
    return { items, next };
  },
});

const downloadSigned = streamAction({
  path: "GET /signed-statements/:file",
  summary: "Downloads a month of the ledger with its signatures, for the stand-alone verifier.",
  roles: WORKERS,
  input: z.object({ file: signedFileField }),
  mediaType: JSON_LINES,
  handler: async ({ deps, session: { accountId }, input: { file } }) => {
    if (await isArchivedMonth(deps.sql, file.month)) return archivedFile(accountId, file.month);
    const range = { accountId, from: indiaDate(file.fromMilliseconds), to: indiaDate(file.toMilliseconds - 1) };
    const name = `signed-statement-${accountId}-${file.month}.jsonl`;
    return { kind: "file", name, content: signedStatement(deps.longWork ?? deps.sql, range, new Date(deps.clock.now())) };
  },
});

/** Signed days of the account's ledger. */
export const signingActions: readonly PortalAction[] = [showSigning, browseDays, downloadSigned];
