import type { CancelContext } from "../../services/bus/context.ts";
import type { Executors } from "../context.ts";
import { cancelExecutor } from "./cancel.ts";
import { complaintExecutor } from "./complaint.ts";
import { refundExecutor, reverseExecutor, settleExecutor } from "./orders.ts";
import { rulesExecutor } from "./rules.ts";
import { walletExecutor } from "./wallet.ts";

/** The executors of this module. */
export function actionExecutors(ctx: CancelContext): Executors {
  return {
    wallet: walletExecutor(ctx),
    settle: settleExecutor(ctx),
    reverse: reverseExecutor(ctx),
    refund: refundExecutor(ctx),
    cancel: cancelExecutor(ctx),
    complaint_refund: complaintExecutor(ctx),
    rules: rulesExecutor,
  };
}
