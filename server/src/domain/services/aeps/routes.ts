import { type Route, withExamples } from "../../client-api/route.ts";
import { authenticate } from "./authenticate.ts";
import { captureBiometric } from "./capture-biometric.ts";
import type { AepsContext } from "./context.ts";
import { EXAMPLES } from "./examples.ts";
import { getKey } from "./get-key.ts";
import { getTransaction } from "./get-transaction.ts";
import { holdKey } from "./key.ts";
import { listBanks } from "./list-banks.ts";
import { listOutlets } from "./list-outlets.ts";
import { registerOutlet } from "./register-outlet.ts";
import { sendOutletOtp } from "./send-outlet-otp.ts";
import { aepsTransactions } from "./transact.ts";
import { verifyOutletOtp } from "./verify-outlet-otp.ts";

/** A route may use its context only inside its handler. */
export function aepsRoutes(ctx: AepsContext): readonly Route[] {
  const unsealKey = holdKey(ctx);
  return withExamples(
    [
      getKey(unsealKey),
      listBanks(ctx),
      listOutlets(ctx),
      registerOutlet(ctx, unsealKey),
      sendOutletOtp(ctx),
      verifyOutletOtp(ctx),
      captureBiometric(ctx),
      authenticate(ctx, unsealKey),
      ...aepsTransactions(ctx, unsealKey),
      getTransaction(ctx),
    ],
    EXAMPLES,
  );
}
