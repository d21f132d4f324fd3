import { z } from "zod";
import type { Account } from "../../../accounts/account.ts";
import { type Answer, type Route, route } from "../../../client-api/route.ts";
import type { Refusal } from "../../../shared/refusals.ts";
import { consentField, mobileField, nameField, pincodeField, requestIdField } from "../../signed/fields.ts";
import { fingerprintOf } from "../../signed/fingerprint.ts";
import { findRecorded, type OperationReference, oncePerReference, type Recorded } from "../../signed/once-per-reference.ts";
import { askWithinLimit } from "../../signed/otp-limits.ts";
import { findOpenOtp } from "../../signed/provider-otp.ts";
import { refuseClosedService } from "../../signed/service-refusals.ts";
import { SERVICE, type TransfersContext } from "../context.ts";
import { otpRefReply, recordReply, senderShape } from "../fields.ts";
import { type FoundProvider, findKeeper, findNamed, findProvider } from "../find-provider.ts";
import { newOtp, sendCode, senderOf, senderOtp, storeUnlessFresh } from "../otp.ts";
import type { TransfersProviderService } from "../provider-service.ts";
import { done, senderFields } from "../views.ts";
import { askToRegister, storeSent } from "./register-at-provider.ts";
import { readSenderRegistrations, saveSenderRegistration } from "./registration-store.ts";
import { decideSender, findSender, type Sender, type SenderDetails, type SenderStatus, saveSender } from "./sender-store.ts";

const PATH = "/transfers/senders";

const input = z.object({
  request_id: requestIdField,
  mobile: mobileField,
  first_name: nameField,
  last_name: nameField.optional(),
  pincode: pincodeField,
  consent: consentField,
});

export function registerSender(ctx: TransfersContext): Route {
  return route({
    method: "POST",
    path: PATH,
    service: SERVICE,
    kind: "plain",
    summary: "Registers a sender and sends a one-time password, unless the mobile was verified before",
    input,
    reply: recordReply({
      sender: senderShape,
      otp_ref: otpRefReply.describe("Empty when nothing was sent: the sender is decided already"),
    }),
    refusals: ["sender_not_verified"],
    handle: ({ account, input: asked }) => register(ctx, account, asked),
  });
}

type Input = z.infer<typeof input>;

async function register(ctx: TransfersContext, account: Account, asked: Input): Promise<Answer> {
  const { accountId } = account;
  const reference = { accountId, operation: PATH, requestId: asked.request_id, fingerprint: fingerprintOf(asked) };
  const known = await findRecorded(ctx, reference);
  if (known) return await answer(ctx, accountId, asked, known);
  const against = refuseClosedService(ctx, account, SERVICE);
  if (against) return against;
  const before = await findSender(ctx.sql, accountId, asked.mobile);
  const found = await findRegistrar(ctx, account, asked.mobile, before);
  if (found.kind === "refused") return found;
  const details = before?.status === "VERIFIED" ? before : detailsOf(asked);
  const theirs = found.providerService.senders && before?.status !== "BLOCKED";
  const recorded = theirs
    ? await registerThere(ctx, reference, found, details)
    : await registerHere(ctx, reference, found.providerService, details);
  return await answer(ctx, accountId, asked, recorded);
}

function detailsOf(asked: Input): SenderDetails {
  return { mobile: asked.mobile, firstName: asked.first_name, lastName: asked.last_name ?? null, pincode: asked.pincode };
}

async function answer(ctx: TransfersContext, accountId: string, asked: Input, recorded: Recorded | Refusal): Promise<Answer> {
  if (recorded.kind === "refused") return recorded;
  const sender = await findSender(ctx.sql, accountId, asked.mobile);
  if (!sender) throw new Error("The sender was registered but cannot be found.");
  return done({ sender: await senderFields(ctx, accountId, sender), otp_ref: recorded.record }, asked.request_id);
}

/** The provider that waits for the sender's one-time password comes first, then those that can send, then the best one. */
async function findRegistrar(
  ctx: TransfersContext,
  account: Account,
  mobile: string,
  sender: Sender | null,
): Promise<FoundProvider | Refusal> {
  const { accountId } = account;
  const registrations = sender ? await readSenderRegistrations(ctx.sql, { accountId, mobile }) : new Map<string, SenderStatus>();
  for (const [provider, status] of registrations) {
    const waiting = status === "OTP_PENDING" ? findNamed(ctx, accountId, provider) : null;
    if (waiting?.kind === "found" && waiting.providerService.senders) return waiting;
  }
  return sender?.status === "VERIFIED" ? await findKeeper(ctx, account, { sender: mobile }) : findProvider(ctx, account, mobile);
}

/** For a provider that sends the one-time passwords that we mint. */
async function registerHere(
  ctx: TransfersContext,
  reference: OperationReference,
  providerService: TransfersProviderService,
  details: SenderDetails,
): Promise<Recorded | Refusal> {
  const { accountId } = reference;
  const otp = newOtp(ctx, providerService, senderOtp(accountId, details.mobile), details.mobile);
  const recorded = await oncePerReference(ctx, reference, async (tx) => {
    const sender = await saveSender(tx, accountId, details, new Date(ctx.clock.now()));
    return sender.status === "OTP_PENDING" ? await storeUnlessFresh(ctx, tx, providerService, otp) : "";
  });
  if (recorded.kind === "recorded" && recorded.record === otp.otpRef) await sendCode(ctx, providerService, otp);
  return recorded;
}

/**
 * For a provider that keeps senders. It is asked before anything is written: a retry after a crash asks again, and the
 * provider sends another password. A password that was sent less than 30 seconds ago is not sent again.
 */
async function registerThere(
  ctx: TransfersContext,
  reference: OperationReference,
  found: FoundProvider,
  details: SenderDetails,
): Promise<Recorded | Refusal> {
  const { accountId } = reference;
  const { provider } = found;
  const key = { accountId, mobile: details.mobile };
  const subject = senderOtp(accountId, details.mobile);
  if ((await readSenderRegistrations(ctx.sql, key)).get(provider) === "VERIFIED")
    return await oncePerReference(ctx, reference, async () => "");
  const open = await findOpenOtp(ctx, ctx.sql, subject, provider);
  if (open?.isFresh) return await oncePerReference(ctx, reference, async () => open.otpRef);
  const registered = await askWithinLimit(ctx, senderOf(found), key, () => askToRegister(ctx, found, details));
  if (registered.kind === "refused") return registered;
  const { status, sent } = registered;
  return await oncePerReference(ctx, reference, async (tx) => {
    const at = new Date(ctx.clock.now());
    await saveSender(tx, accountId, details, at);
    await saveSenderRegistration(tx, key, { provider, status }, at);
    if (status !== "OTP_PENDING") await decideSender(tx, accountId, details.mobile, status);
    return sent ? await storeSent(ctx, tx, subject, details.mobile, { ...sent, provider }) : "";
  });
}
