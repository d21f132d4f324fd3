import { createHash, type Hash } from "node:crypto";
import { appendAudit } from "../../audit/append.ts";
import type { Reconciliation, ReconciliationContext } from "../reconciliation.ts";
import { addPart, beginFile, endFile, findReconciliation, type NewFile, removeReconciliation } from "../store.ts";
import { readCsv, UnreadableFile } from "./csv-reader.ts";
import { readShape } from "./file-shape.ts";

export const MAX_FILE_BYTES = 64 * 1024 * 1024;
const PART_BYTES = 1024 * 1024;

export type Upload = Omit<NewFile, "reconciliationId"> & { readonly content: AsyncIterable<Uint8Array> };

export type Uploaded =
  | { readonly kind: "done"; readonly reconciliation: Reconciliation }
  | { readonly kind: "unknown_provider" }
  | { readonly kind: "too_large" }
  | { readonly kind: "unreadable"; readonly why: string };

class TooLarge extends Error {}

/** Stores a provider's file while it arrives and reads it to its end. An invalid file leaves nothing behind. */
export async function uploadFile(ctx: ReconciliationContext, actor: string, upload: Upload): Promise<Uploaded> {
  const { provider, day, name, content } = upload;
  const now = ctx.clock.now();
  const reconciliationId = ctx.ids.entry(now);
  if (!(await beginFile(ctx.sql, { reconciliationId, provider, day, name }, actor, new Date(now)))) return { kind: "unknown_provider" };
  try {
    const file = { hash: createHash("sha256"), bytes: 0 };
    const shape = readShape();
    for await (const records of readCsv(storeWhileReading(ctx, reconciliationId, content, file)))
      for (const record of records) shape.add(record);
    const whole = { bytes: file.bytes, digest: file.hash.digest(), shape: shape.shape() };
    await ctx.sql.begin(async (tx) => {
      await endFile(tx, reconciliationId, whole);
      const details = { provider, day, name, bytes: whole.bytes, rows: whole.shape.rows, sha256: whole.digest.toString("hex") };
      const subject = { kind: "reconciliation", id: reconciliationId } as const;
      await appendAudit(tx, new Date(ctx.clock.now()), { actor, action: "reconciliation.uploaded", subject, details });
    });
  } catch (error) {
    await removeReconciliation(ctx.sql, reconciliationId);
    if (error instanceof UnreadableFile) return { kind: "unreadable", why: error.message };
    if (error instanceof TooLarge) return { kind: "too_large" };
    throw error;
  }
  const reconciliation = await findReconciliation(ctx.sql, reconciliationId);
  if (!reconciliation) throw new Error(`The reconciliation ${reconciliationId} is gone.`);
  return { kind: "done", reconciliation };
}

/** Passes a file on while storing it. */
async function* storeWhileReading(
  { sql }: ReconciliationContext,
  reconciliationId: string,
  content: AsyncIterable<Uint8Array>,
  file: { readonly hash: Hash; bytes: number },
): AsyncGenerator<Uint8Array> {
  let part = 0;
  let buffered: Uint8Array[] = [];
  let bufferedBytes = 0;
  const put = async () => {
    await addPart(sql, reconciliationId, part++, Buffer.concat(buffered));
    [buffered, bufferedBytes] = [[], 0];
  };
  for await (const chunk of content) {
    file.bytes += chunk.length;
    if (file.bytes > MAX_FILE_BYTES) throw new TooLarge();
    file.hash.update(chunk);
    buffered.push(chunk);
    bufferedBytes += chunk.length;
    if (bufferedBytes >= PART_BYTES) await put();
    yield chunk;
  }
  if (bufferedBytes > 0) await put();
}
