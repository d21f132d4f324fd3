import { SIMULATOR } from "../../providers/routing.ts";
import type { DeskOptions, Desks } from "../signed/desks.ts";
import type { BillsDesk } from "./desk.ts";
import { simulatedBills } from "./simulator/desk.ts";

/** Every provider's desk for this service, by the provider's name. */
export function openBillsDesks(options: DeskOptions): Desks<BillsDesk> {
  return { [SIMULATOR]: simulatedBills(options) };
}
