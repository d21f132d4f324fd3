import { afterAll, beforeAll, expect, test } from "vitest";
import { replaceSigningSecret } from "../../../domain/accounts/credentials/replace-signing-secret.ts";
import { sweepDocuments } from "../../../domain/onboarding/documents.ts";
import { createConsoleFixture, type StaffMember } from "../console/testing/fixture.ts";

const fixture = await createConsoleFixture();
const { sql } = fixture.settings.database;
let [author, reviewer]: StaffMember[] = [];
beforeAll(async () => {
  [author, reviewer] = [await fixture.newStaff("operations"), await fixture.newStaff("admin")];
});
afterAll(() => fixture.close());

const PDF = Buffer.from("%PDF-1.7 the client's PAN card");
const company = (more: object = {}) => ({
  legal_name: "Asha Stores Private Limited",
  entity_type: "company",
  pan: "AAGCA7383J",
  gstin: "29AAGCA7383J1Z5",
  address: { line: "12 MG Road", city: "Bengaluru", state_code: "29", pincode: "560001" },
  ...more,
});
const OWNER = { kind: "owner", name: "Asha Rao", email: "asha@shop.example", mobile: "9876543210" };

const browserOf = (member: StaffMember | undefined) => {
  if (member === undefined) throw new Error("The staff member was not made.");
  return member.browser;
};
async function begin(): Promise<string> {
  const { status, body } = await browserOf(author).post("/onboardings", { name: "Asha Stores" });
  expect([status, body.state, body.kyc, body.agreement]).toEqual([201, "draft", "pending", "pending"]);
  return `/accounts/${body.account_id}`;
}
const read = async (account: string) => (await browserOf(author).get(`${account}/onboarding`)).body;
const save = async (account: string, details: object, by = author) =>
  await browserOf(by).post(`${account}/onboarding`, { version: (await read(account)).version, ...details });
const upload = async (account: string, kind: string, file: Buffer = PDF, name = "scan.pdf") =>
  await fixture.post(`${account}/documents?${new URLSearchParams({ kind, name })}`, undefined, {
    raw: file,
    headers: { "content-type": "application/octet-stream" },
  });
const review = async (member: StaffMember | undefined, account: string, which: string, decision: string) =>
  await browserOf(member).post(`${account}/onboarding/review`, {
    ...{ version: (await read(account)).version, review: which, decision, reason: "Compared with the originals." },
  });

async function submitted(by: StaffMember | undefined = author): Promise<string> {
  const account = await begin();
  await save(account, { company: company(), contacts: [OWNER] }, by);
  for (const kind of ["pan_card", "gst_certificate", "agreement"]) expect((await upload(account, kind)).status).toBe(201);
  const answer = await browserOf(author).post(`${account}/onboarding/submit`, { reason: "Complete." });
  expect([answer.status, answer.body.state]).toEqual([200, "submitted"]);
  return account;
}

test("a new client goes from draft to both approvals, and only then can transact; staff never see a token", async () => {
  const account = await begin();
  const id = account.slice("/accounts/".length);
  expect(await sql`select 1 from credentials where account_id = ${id}`).toHaveLength(0);
  expect((await browserOf(author).post(`${account}/onboarding/submit`, {})).body.message).toContain("PAN card");
  await save(account, { company: company() });
  await save(account, { name: "Asha Retail", contacts: [OWNER] });
  for (const kind of ["pan_card", "gst_certificate"]) await upload(account, kind);
  expect((await browserOf(author).post(`${account}/onboarding/submit`, {})).body).toMatchObject({
    name: "Asha Retail",
    state: "submitted",
  });
  expect((await fixture.get("/onboardings?waiting=kyc&search=asha%20ret")).body.items).toMatchObject([{ account_id: id }]);
  expect((await review(reviewer, account, "kyc", "approved")).body).toMatchObject({ state: "submitted", kyc: "verified" });
  expect((await review(reviewer, account, "agreement", "approved")).body.message).toContain("The signed agreement");
  await upload(account, "agreement");
  expect((await review(reviewer, account, "agreement", "approved")).body).toMatchObject({ state: "completed", agreement: "signed" });
  expect((await fixture.get(account)).body).toMatchObject({ kyc: "verified", agreement: "signed", standing: "active" });
  expect((await upload(account, "other")).status).toBe(409);
  const { body } = await fixture.get(`/audit?subject_id=${id}&limit=50`);
  const actions = (body.items as { action: string }[]).map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(["onboarding.saved", "onboarding.submitted", "onboarding.approved", "document.added"]));
});

test.each([
  ["pan", { pan: "AAGPA7383J" }],
  ["pan", { pan: "not a pan" }],
  ["gstin", { gstin: "29AAGCA7383J1Z6" }],
  ["gstin", { gstin: "27AAPFU0939F1ZV" }],
  ["address", { address: { line: "12 MG Road", city: "Bengaluru", state_code: "99", pincode: "560001" } }],
])("a wrong %s is refused by its field, and nothing is saved", async (field, wrong) => {
  const account = await begin();
  const answer = await save(account, { company: company(wrong) });
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.body.fields).join()).toContain(`company.${field}`);
  expect((await read(account)).company).toBeNull();
});

test("two people do not overwrite each other", async () => {
  const account = await begin();
  const { version } = await read(account);
  expect((await save(account, { contacts: [OWNER] })).status).toBe(200);
  const late = await browserOf(author).post(`${account}/onboarding`, { version, contacts: [] });
  expect(late).toMatchObject({ status: 409, body: { message: expect.stringContaining("Somebody else") } });
});

test("a returned application can be changed, and a change takes an approval back that relied on it", async () => {
  const account = await submitted();
  expect((await save(account, { contacts: [] })).status).toBe(409);
  await review(reviewer, account, "kyc", "approved");
  expect((await review(reviewer, account, "agreement", "returned")).body).toMatchObject({
    state: "returned",
    kyc: "verified",
    reviews: [{ decision: "returned", reason: "Compared with the originals.", by_name: "Meera Nair" }, { decision: "approved" }],
  });
  expect((await upload(account, "agreement")).body.kyc).toBe("verified");
  expect((await save(account, { company: company({ legal_name: "Another Company" }) })).body.kyc).toBe("pending");
});

test("a reviewer approves only what they have seen", async () => {
  const account = await submitted();
  const { version } = await read(account);
  await upload(account, "agreement", Buffer.from("%PDF-1.7 another text"));
  const decision = { version, review: "agreement", decision: "approved", reason: "Read." };
  expect((await browserOf(reviewer).post(`${account}/onboarding/review`, decision)).status).toBe(409);
});

test("KYC of an account in onboarding cannot be set directly, that of other accounts can", async () => {
  const account = await begin();
  expect(await fixture.post(account, { kyc: "verified" })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("onboarding") },
  });
  const { account_id: other } = await fixture.newAccount();
  await fixture.post(`/accounts/${other}`, { kyc: "pending" });
  expect((await fixture.post(`/accounts/${other}`, { kyc: "verified" })).body.kyc).toBe("verified");
});

test("documents are PDF, PNG or JPEG by their first bytes, at most 5 MiB, encrypted, and every look is in the audit log", async () => {
  const account = await begin();
  expect((await upload(account, "other", Buffer.from("<html>"), "fake.pdf")).body.fields).toHaveProperty("file");
  expect((await upload(account, "other", Buffer.concat([PDF, Buffer.alloc(5 * 1024 * 1024)]))).status).toBe(413);
  const { body } = await upload(account, "pan_card", PDF, 'PAN "ए".pdf');
  const [{ document_id: id, by }] = body.documents;
  const [row] = await sql<{ content: Buffer }[]>`select content from onboarding_documents where document_id = ${id}`;
  expect(row?.content.includes("PAN card")).toBe(false);
  const file = await fixture.file(`${account}/documents/${id}`);
  expect([file.text, file.headers.get("content-type")]).toEqual([PDF.toString(), "application/pdf"]);
  expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="PAN ___.pdf"; filename\*=UTF-8''PAN%20/);
  const { body: log } = await fixture.get(`/audit?action=document.viewed&limit=1`);
  expect(log.items).toMatchObject([{ actor: by, details: { document_id: id, kind: "pan_card" } }]);
  const asSupport = await fetch(`${fixture.base}/console/api${account}/documents/${id}`, { headers: fixture.as("support") });
  expect(asSupport.status).toBe(403);
  expect((await fixture.post(`${account}/documents/${id}/delete`, { reason: "Wrong scan." })).body.documents).toMatchObject([
    { document_id: id, erased_at: expect.any(String) },
  ]);
  expect((await fixture.file(`${account}/documents/${id}`)).status).toBe(404);
});

test("documents are erased when their account has been closed for long enough", async () => {
  const account = await begin();
  await upload(account, "pan_card");
  const now = new Date(fixture.settings.clock.now());
  expect(await sweepDocuments(sql, new Date(now.getTime() + 1000), now)).toBe(0);
  expect((await fixture.post(`${account}/close`, { reason: "Withdrawn." })).status).toBe(200);
  expect(await sweepDocuments(sql, new Date(now.getTime() - 1000), now)).toBe(0);
  expect(await sweepDocuments(sql, new Date(now.getTime() + 60_000), now)).toBe(1);
  expect((await read(account)).documents).toMatchObject([{ erased_at: expect.any(String) }]);
});

// Last, because the rules apply to the whole installation.
test("with four eyes a person cannot review what they entered with a key of their own, also while keys are exempt", async () => {
  const { api_key: key } = (await browserOf(reviewer).post("/keys", { name: "The reviewer's" })).body;
  const byStaff = await submitted(reviewer);
  const { account_id: id } = (await fixture.post("/onboardings", { name: "By a program" })).body;
  await fixture.post("/approval-rules", { wallet_threshold: "100.00", new_person_hours: 0, keys_included: false });
  const reviewByKey = async (account: string, call: { key?: string }) => {
    const { version } = await read(account);
    return await fixture.post(`${account}/onboarding/review`, { version, review: "kyc", decision: "approved", reason: "Compared." }, call);
  };
  expect(await reviewByKey(byStaff, { key })).toMatchObject({ status: 409, body: { message: expect.stringContaining("You entered") } });
  // This key uploaded the documents. It is exempt only where nobody on staff took part.
  expect(await reviewByKey(byStaff, {})).toMatchObject({ status: 409, body: { message: expect.stringContaining("You entered") } });
  const byProgram = `/accounts/${id}`;
  await fixture.post(`${byProgram}/onboarding`, { version: (await read(byProgram)).version, company: company(), contacts: [OWNER] });
  for (const kind of ["pan_card", "gst_certificate"]) await upload(byProgram, kind);
  await fixture.post(`${byProgram}/onboarding/submit`, { reason: "Complete." });
  expect(await reviewByKey(byProgram, {})).toMatchObject({ status: 200, body: { kyc: "verified" } });
});

test("with four eyes a person cannot review an application that they entered, which the database enforces too", async () => {
  const account = await submitted();
  await fixture.post("/approval-rules", { wallet_threshold: "100.00", new_person_hours: 0 });
  expect((await read(account)).barred).toContain("You entered");
  expect((await review(author, account, "kyc", "approved")).status).toBe(409);
  expect((await fixture.get(account)).body.kyc).toBe("pending");
  expect((await review(reviewer, account, "kyc", "approved")).body).toMatchObject({ kyc: "verified" });
  const id = account.slice("/accounts/".length);
  const own = sql`
    insert into onboarding_reviews values (${id}, 'R1', 'kyc', 'approved', 'x', 'staff:U1', 'staff:U1', '{staff:U1}', true, now())`;
  await expect(own).rejects.toThrow("onboarding_reviews_four_eyes");
});

test("staff create no first token or secret of a client that was onboarded; later ones they may replace", async () => {
  const account = await begin();
  const accountId = account.slice("/accounts/".length);
  const admin = browserOf(reviewer);
  for (const kind of ["token", "signing-secret", "callback-secret"]) {
    const refused = await admin.post(`${account}/${kind}`, {});
    expect([kind, refused.status, JSON.stringify(refused.body).includes('_secret":')]).toEqual([kind, 409, false]);
  }
  // As the client does in the portal.
  await replaceSigningSecret(fixture.deps, "user:U1", { accountId });
  expect((await admin.post(`${account}/signing-secret`, {})).body.signing_secret).toMatch(/^sig_/);
  expect((await admin.post(`${account}/token`, {})).status).toBe(409);
});
