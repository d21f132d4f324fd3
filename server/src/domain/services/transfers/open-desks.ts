import type { DeskOptions, Desks } from "../signed/desks.ts";
import type { TransfersDesk } from "./desk.ts";
import { openSimulatorDesk } from "./simulator/desk.ts";

/** Every provider's desk for this service, by the provider's name. */
export function openTransfersDesks(_options: DeskOptions): Desks<TransfersDesk> {
  return { simulator: openSimulatorDesk() };
}
