import { type Route, withExamples } from "../../client-api/route.ts";
import { activateBeneficiary } from "./activate-beneficiary.ts";
import { addBeneficiary } from "./add-beneficiary.ts";
import type { TransfersContext } from "./context.ts";
import { createQuote } from "./create-quote.ts";
import { createTransfer } from "./create-transfer.ts";
import { deleteBeneficiary } from "./delete-beneficiary.ts";
import { EXAMPLES } from "./examples.ts";
import { getSender } from "./get-sender.ts";
import { getTransfer } from "./get-transfer.ts";
import { listBanks } from "./list-banks.ts";
import { listBeneficiaries } from "./list-beneficiaries.ts";
import { registerSender } from "./register-sender.ts";
import { resendSenderOtp } from "./resend-sender-otp.ts";
import { verifyBeneficiary } from "./verify-beneficiary.ts";
import { verifySender } from "./verify-sender.ts";

/** A route may use its context only inside its handler. */
export function transfersRoutes(ctx: TransfersContext): readonly Route[] {
  return withExamples(
    [
      listBanks(ctx),
      registerSender(ctx),
      getSender(ctx),
      verifySender(ctx),
      resendSenderOtp(ctx),
      addBeneficiary(ctx),
      listBeneficiaries(ctx),
      activateBeneficiary(ctx),
      verifyBeneficiary(ctx),
      deleteBeneficiary(ctx),
      createQuote(ctx),
      createTransfer(ctx),
      getTransfer(ctx),
    ],
    EXAMPLES,
  );
}
