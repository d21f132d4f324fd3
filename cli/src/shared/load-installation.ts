import { join } from "node:path";
import type { AccountsContext } from "@corprail/server/domain/accounts/context";
import { cellName } from "@corprail/server/domain/cells/cell";
import { assignCell } from "@corprail/server/domain/cells/store";
import type { ModeSetting } from "@corprail/server/domain/providers/mode/mode";
import type { Egress } from "@corprail/server/domain/providers/wire/exchange";
import { systemClock } from "@corprail/server/platform/core/clock";
import { HOME_CELL, idsOfCell, randomIds } from "@corprail/server/platform/core/ids";
import { findKeyFile } from "@corprail/server/platform/crypto/find-key-file";
import { loadOuterKey } from "@corprail/server/platform/crypto/outer-key";
import { loadVault } from "@corprail/server/platform/crypto/vault";
import { connect, type Sql } from "@corprail/server/platform/db/connection";
import { migrate } from "@corprail/server/platform/db/schema/migrate";
import { nameResolver } from "@corprail/server/platform/network/name-resolver";
import { cellOfAccount } from "../cell/find-cells.ts";
import { schemaFault } from "../schema.ts";
import { withDatabase } from "./find-database.ts";
import { failed, type Outcome } from "./outcome.ts";
import type { CommandContext } from "./run-command.ts";

/** The context of commands that change an installation. Running services follow the changes in the audit log. */
export type Installation = AccountsContext & {
  readonly keyFile: string;
  /** CORPRAIL_MODE in the environment of this command. */
  readonly modeSetting: ModeSetting;
  readonly egress: Egress;
};

// A key rotation holds two locks, each on a connection of its own, and works on the others.
const CONNECTIONS = 5;

/** Which cell a command works on. Home has the providers, prices and users. */
export type Place = "home" | { readonly accountId: string };

/** Connects to the database as the service does and loads its master key. */
export async function withInstallation(
  ctx: CommandContext,
  use: (installation: Installation) => Promise<Outcome>,
  place: Place = "home",
): Promise<Outcome> {
  return await withDatabase(ctx, "existing", async (url) => {
    const fault = await databaseFault(url);
    if (fault !== null) return failed(fault);
    // Applies no migration here, but refuses the database of a newer version.
    const { role } = await migrate(url, undefined, { refuseNewer: true });
    const { sql, close } = connect({ url, connections: CONNECTIONS, role });
    try {
      const home = await loadInstallation(ctx, sql);
      return typeof place === "object" ? await useInCell(ctx, home, await cellOfAccount(sql, place.accountId), use) : await use(home);
    } finally {
      await close();
    }
  });
}

/** The installation with the database of one of its cells. */
export async function useInCell(
  { config }: CommandContext,
  home: Installation,
  cell: number,
  use: (installation: Installation) => Promise<Outcome>,
): Promise<Outcome> {
  if (cell === HOME_CELL) return await use(home);
  const address = config.cells.find((one) => one.cell === cell);
  if (!address) return failed(`The account is in ${cellName(cell)}: set CORPRAIL_CELLS as the service has it.`);
  const { role } = await migrate(address.url);
  const { sql, close } = connect({ url: address.url, connections: CONNECTIONS, role });
  const assign = (accountId: string) => assignCell(home.sql, accountId, cell, new Date(home.clock.now()));
  try {
    return await use({ ...home, sql, ids: idsOfCell(home.ids, cell), assign });
  } finally {
    await close();
  }
}

async function databaseFault(url: string): Promise<string | null> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  try {
    const fault = await schemaFault(sql);
    if (fault !== null) return fault;
    const installations = await sql`select installation_id from installation`;
    if (installations.length === 0) return "This database has no master key yet. The service's first start makes it.";
    return null;
  } finally {
    await close();
  }
}

export async function loadInstallation({ config }: CommandContext, sql: Sql): Promise<Installation> {
  const [clock, ids] = [systemClock(config.clockOffsetSeconds), randomIds()];
  const inDataFolder = join(config.dataFolder, "master-key");
  const outer = await loadOuterKey(config.outerKey);
  const keyFile = await findKeyFile({ sql, clock, ids, configured: config.masterKeyFile, inDataFolder, outer });
  const vault = await loadVault(keyFile, outer);
  return { sql, clock, ids, vault, keyFile, modeSetting: config.mode, refresh: async () => {}, egress: egressOf(config) };
}

/** Network rules for requests to providers, as a service with this environment has them. */
export function egressOf(config: CommandContext["config"]): Egress {
  return { allow: config.providerAllow, resolve: nameResolver() };
}
