import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../server/dist/db/connection.js";
import { startEmbedded } from "../../server/dist/db/embedded/index.js";
import { migrate } from "../../server/dist/db/migrate.js";

const quiet = { info: () => {}, warn: () => {} };

/**
 * The bench's own PostgreSQL, with the settings that the service gives its embedded one. Every contestant has a
 * database of its own in it.
 */
export async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), "corprail-bench-"));
  const embedded = await startEmbedded({ dataFolder: folder, log: quiet });
  return {
    folder,
    create: (name) => createDatabase(embedded.url, name),
    /** Checkpoints in the middle of a round would be charged to whoever runs then. */
    settle: () => withConnection(embedded.url, (sql) => sql`checkpoint`),
    stop: async () => {
      await embedded.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function withConnection(url, use) {
  const { sql, close } = connect({ url, connections: 1, role: null });
  try {
    return await use(sql);
  } finally {
    await close();
  }
}

export async function migrated(url) {
  const { role } = await migrate(url);
  return { url, role };
}

async function createDatabase(ownerUrl, name) {
  await withConnection(ownerUrl, (sql) => sql.unsafe(`create database ${name}`));
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  return url.href;
}
