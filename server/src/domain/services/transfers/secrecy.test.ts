import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createKeyring, newMasterKey } from "../../../platform/crypto/keyring.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { rotateMasterKey } from "../../accounts/master-key/rotate-master-key.ts";
import { newAccount, testSettings } from "../../accounts/testing/settings.ts";
import type { ServiceFixture } from "../testing/service-fixture.ts";
import { BENEFICIARY_ACCOUNTS, maskAccount, sealNumber } from "./beneficiaries/account-number.ts";
import { findBeneficiary, insertBeneficiary } from "./beneficiaries/beneficiary-store.ts";
import { createFixture, newParties, newTransfer, ok, ref, sendTransfer } from "./testing/flow.ts";

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

/** Every row of every table, as text. */
async function everything(sql: Sql): Promise<string> {
  const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
  const rows = await Promise.all(tables.map(({ name }) => sql<{ row: string }[]>`select t::text as row from ${sql(name)} t`));
  return rows
    .flat()
    .map(({ row }) => row)
    .join("\n");
}

test("a bank account's number stands nowhere in the database, whatever was done with it", async () => {
  const client = await fixture.newClient(10_000);
  const [good, bad] = ["731900482615", "731900482102"];
  for (const account of [good, bad]) {
    const parties = await newParties(client, { account });
    await ok(client.signed.post("/transfers/beneficiaries/verify", { request_id: ref(), beneficiary_id: parties.beneficiary_id }));
    await newTransfer(client, parties, { amount: "100" });
    await sendTransfer(client, "TRF-UNKNOWN");
  }
  const text = await everything(fixture.orders.owner);
  expect(text).toContain("XXXXXXXX2615");
  for (const number of [good, bad]) {
    expect(text).not.toContain(number);
    expect(text).not.toContain(Buffer.from(number).toString("hex"));
    expect(text).not.toContain(Buffer.from(number).toString("base64"));
    expect(text).not.toContain(number.slice(0, 8));
  }
});

test("the provider is given the number and whose money it is; what is kept of the order is masked", async () => {
  const client = await fixture.newClient(10_000);
  const parties = await newParties(client, { account: "731900482999", mobile: "9823456789" });
  const simulator = fixture.ctx.providerRegistry.connector("simulator");
  if (!simulator) throw new Error("The simulator is not open.");
  const send = vi.spyOn(simulator, "send");
  await newTransfer(client, parties, { amount: "100", mode: "NEFT" });
  const request = send.mock.calls.at(-1)?.[0];
  send.mockRestore();
  expect(request).toMatchObject({
    service: "transfers",
    operation: "",
    operator: "HDFC",
    target: "XXXXXXXX2999",
    details: {
      mode: "NEFT",
      account: "731900482999",
      ifsc: "HDFC0001234",
      beneficiary_name: "Ravi Kumar",
      beneficiary_mobile: "9823456789",
      sender_mobile: parties.sender,
      sender_name: "Asha Verma",
    },
  });
});

test("a mask shows four digits and the length", () => {
  expect(["123456789", "50100123456789"].map(maskAccount)).toEqual(["XXXXX6789", "XXXXXXXXXX6789"]);
});

test("one account's digest says nothing of another's with the same number, and a number moved to another row does not open", () => {
  const keyring = createKeyring([newMasterKey()]);
  const [mine, theirs] = ["A1", "A2"].map((accountId) => sealNumber(keyring, { accountId, beneficiaryId: "B1" }, "123456789"));
  expect(mine?.digest).not.toEqual(theirs?.digest);
  expect(() => keyring.open(mine as NonNullable<typeof mine>, "transfers/A2/B1")).toThrow();
});

test("a rotation of the master key takes the account numbers along, to be opened and found as before", async () => {
  const settings = await testSettings();
  try {
    const { sql } = settings.database;
    const { accountId } = await newAccount(settings.ctx);
    const numbers = Array.from({ length: 7 }, (_, place) => `99887766${place}00`);
    for (const [place, account] of numbers.entries()) {
      const key = { accountId, beneficiaryId: `BEN${place}` };
      const { keyId, sealed, digest } = sealNumber(settings.ctx.vault.keyring(), key, account);
      const bank = { bank: "HDFC", bankName: "HDFC Bank", ifsc: "HDFC0001234" };
      const whose = { sender: "9812345678", name: "Ravi", mobile: null, accountMasked: maskAccount(account) };
      await sql.begin((tx) =>
        insertBeneficiary(tx, { ...key, ...bank, ...whose, number: { keyId, sealed }, numberDigest: digest }, new Date()),
      );
    }
    const options = { path: settings.keyPath, settle: async () => {}, chunkRows: 3, others: [BENEFICIARY_ACCOUNTS] };
    const result = await rotateMasterKey(settings.ctx, "test", options);
    expect(result).toMatchObject({ kind: "done", resealed: 8 });
    const keyring = settings.ctx.vault.keyring();
    for (const [place, account] of numbers.entries()) {
      const one = await findBeneficiary(sql, accountId, `BEN${place}`);
      if (!one) throw new Error("A beneficiary is gone.");
      expect(one.number.keyId).toBe(keyring.currentKeyId);
      expect(keyring.open(one.number, `transfers/${accountId}/BEN${place}`)).toBe(account);
      expect(keyring.digest(`transfers/account/${accountId}/${account}`)).toEqual(one.numberDigest);
    }
  } finally {
    await settings.close();
  }
});
