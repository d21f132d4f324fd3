import { openAepsDesks } from "./aeps/open-desks.ts";
import { openBillsDesks } from "./bills/open-desks.ts";
import { openBusDesks } from "./bus/open-desks.ts";
import type { DeskOptions } from "./signed/desks.ts";
import { openTransfersDesks } from "./transfers/open-desks.ts";

export type ServiceDesks = ReturnType<typeof openDesks>;

/** What providers do for the signed services beside their transactions, service by service. */
export function openDesks(options: DeskOptions) {
  return {
    bills: openBillsDesks(options),
    transfers: openTransfersDesks(options),
    bus: openBusDesks(options),
    aeps: openAepsDesks(options),
  };
}
