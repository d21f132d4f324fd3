import { type Callbacks, startCallbacks } from "../../../domain/callbacks/start-callbacks.ts";
import { LOOPBACK } from "../../../domain/callbacks/testing/fixture.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { createPortalFixture, type PortalFixture } from "./fixture.ts";

export type CallbackFixture = PortalFixture & {
  /** Writes a status callback as the order engine does. */
  readonly tell: (accountId: string, more?: { readonly status?: string; readonly at?: number }) => Promise<string>;
};

/** The portal with a running callback engine. */
export async function createCallbackFixture(): Promise<CallbackFixture> {
  let engine: Callbacks | null = null;
  const delivering = (): Callbacks => {
    if (!engine) throw new Error("The callback engine has not started yet.");
    return engine;
  };
  const fixture = await createPortalFixture({
    change: {
      callbacks: {
        makeDue: (accountIds) => delivering().makeDue(accountIds),
        sendTest: (accountId) => delivering().sendTest(accountId),
        sendVersion3Test: (accountId) => delivering().sendVersion3Test(accountId),
      },
    },
  });
  const { ctx } = fixture;
  const { sql, vault, clock, ids } = ctx;
  engine = await startCallbacks({ sql, vault, clock, ids, processId: ids.request(), log: createLog("silent"), allow: LOOPBACK });
  return {
    ...fixture,
    tell: async (accountId, { status = "SUCCESS", at = clock.now() } = {}) => {
      const id = ids.entry(at);
      await sql`
        insert into callbacks (account_id, callback_id, kind, order_id, urid, status, amount, target, operator_ref, next_at, settings_version, created_at)
        select account_id, ${id}, 'status', ${`O${id}`}, ${`u-${id}`}, ${status}, 105000, '9876543210', 'REF1', ${new Date(at)}, callback_settings_version,
          ${new Date(at)} from accounts where account_id = ${accountId}`;
      return id;
    },
    close: async () => {
      await engine?.close(0);
      await fixture.close();
    },
  };
}
