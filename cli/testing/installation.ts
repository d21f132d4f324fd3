import { join } from "node:path";
import { onTestFinished } from "vitest";
import { systemClock } from "../../server/src/platform/core/clock.ts";
import { randomIds } from "../../server/src/platform/core/ids.ts";
import { findKeyFile } from "../../server/src/platform/crypto/find-key-file.ts";
import { type TestDatabase, testDatabase } from "../../server/src/testing/database.ts";
import { temporaryFolder, type Variables } from "./processes.ts";

export type TestInstallation = { readonly database: TestDatabase; readonly keyFile: string; readonly variables: Variables };

/** A database with a master key, as a first start leaves them; no service runs on it. */
export async function testInstallation(): Promise<TestInstallation> {
  const database = await testDatabase();
  onTestFinished(() => database.drop());
  const folder = temporaryFolder();
  const question = { sql: database.sql, clock: systemClock(0), ids: randomIds(), configured: null };
  const keyFile = await findKeyFile({ ...question, inDataFolder: join(folder, "master-key"), outer: null });
  return { database, keyFile, variables: { CORPRAIL_DATABASE_URL: database.url, CORPRAIL_DATA_DIR: folder } };
}
