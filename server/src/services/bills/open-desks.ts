import type { DeskOptions, Desks } from "../signed/desks.ts";
import type { BillsDesk } from "./desk.ts";

/** Every provider's desk for this service, by the provider's name. */
export function openBillsDesks(_options: DeskOptions): Desks<BillsDesk> {
  return { simulator: {} };
}
