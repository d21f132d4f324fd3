import type { DeskOptions, Desks } from "../signed/desks.ts";
import type { BusDesk } from "./desk.ts";
import { openSimulatorDesk } from "./simulator/open-simulator-desk.ts";

/** Every provider's desk for this service, by the provider's name. */
export function openBusDesks(_options: DeskOptions): Desks<BusDesk> {
  return { simulator: openSimulatorDesk() };
}
