import { readFile, writeFile } from "node:fs/promises";
import type { NonceStore } from "@corprail/sdk";

/** Nonces over several runs, one a line with its end, so that a replay is found by a command that starts anew. */
export async function seenNonces(path: string | null, nowSeconds: number): Promise<NonceStore & { readonly keep: () => Promise<void> }> {
  const seen = new Map(path === null ? [] : parse(await readExisting(path)).filter(([, until]) => until >= nowSeconds));
  return {
    remember: (nonce, until) => {
      if (seen.has(nonce)) return false;
      seen.set(nonce, until);
      return true;
    },
    keep: async () => {
      if (path === null) return;
      await writeFile(path, [...seen].map(([nonce, until]) => `${until} ${nonce}\n`).join(""), { mode: 0o600 });
    },
  };
}

function parse(text: string): readonly (readonly [string, number])[] {
  return text
    .split("\n")
    .map((line) => /^([0-9]+) (.+)$/.exec(line))
    .flatMap((match) => (match ? [[match[2] ?? "", Number(match[1])] as const] : []));
}

async function readExisting(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
