import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { JSON_SPOKEN } from "../../server/src/domain/providers/testing/definitions.ts";

/** A description of a provider that has one secret, `token`. */
export function description(name: string, origin = "http://127.0.0.1:9"): Record<string, unknown> {
  return { ...JSON_SPOKEN.describe(origin), name };
}

export type ProviderFiles = { readonly folder: string; readonly file: string };

/** A provider's file, and beside it its secrets where there are any; both go away with the test. */
export function providerFiles(content: unknown, secrets?: string): ProviderFiles {
  const folder = mkdtempSync(join(tmpdir(), "corprail-provider-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "acme.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  if (secrets !== undefined) {
    writeFileSync(join(folder, "acme.secrets"), secrets);
    chmodSync(join(folder, "acme.secrets"), 0o600);
  }
  return { folder, file };
}
