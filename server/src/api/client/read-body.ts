import type { IncomingMessage } from "node:http";

export const NO_BODY = new Uint8Array(0);
// A moderately oversized body is read and discarded, so that the sender receives the reply.
const TOLERATED_EXCESS_BYTES = 1024 * 1024;

export type ReadBody =
  | { readonly kind: "whole"; readonly bytes: Uint8Array }
  | { readonly kind: "too large" }
  /** The sender disconnected before the end of the body. */
  | { readonly kind: "cut off" };

export function readBody(request: IncomingMessage, limitBytes: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) chunks.push(chunk);
      else if (size > limitBytes + TOLERATED_EXCESS_BYTES) {
        request.removeAllListeners("data").pause();
        resolve({ kind: "too large" });
      }
    });
    request.on("end", () => resolve(size > limitBytes ? { kind: "too large" } : { kind: "whole", bytes: joined(chunks) }));
    request.on("error", () => resolve({ kind: "cut off" }));
    request.on("close", () => resolve({ kind: "cut off" }));
  });
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks);
}
