import { connect } from "../../server/dist/platform/db/connection.js";
import { startEmbedded } from "../../server/dist/platform/db/embedded/start-embedded.js";
import { migrate } from "../../server/dist/platform/db/schema/migrate.js";
import { atEnd, temporaryFolder } from "../closing.mjs";

const quiet = { info: () => {}, warn: () => {} };

/**
 * The bench's own PostgreSQL, with the settings that the service gives its embedded one. Every contestant has a
 * database of its own in it.
 */
export async function startPostgres() {
  const folder = temporaryFolder("corprail-bench-");
  const starting = startEmbedded({ dataFolder: folder, log: quiet });
  atEnd("database", async () => {
    const started = await starting.catch(() => null);
    await started?.stop();
  });
  const embedded = await starting;
  return {
    folder,
    create: (name) => createDatabase(embedded.url, name),
    /** Checkpoints in the middle of a round would be charged to whoever runs then. */
    settle: () => withConnection(embedded.url, (sql) => sql`checkpoint`),
    /** How many were made, by time, by the WAL's size or because somebody asked. */
    checkpoints: () => withConnection(embedded.url, countCheckpoints),
  };
}

async function countCheckpoints(sql) {
  const [row] = await sql`select (num_timed + num_requested)::float8 as made from pg_stat_checkpointer`;
  return row.made;
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
