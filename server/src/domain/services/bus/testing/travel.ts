import { indiaDate } from "../../../../platform/core/india-time.ts";
import { providersNamed } from "../../signed/provider-services.ts";
import {
  type Answer,
  type Client,
  createServiceFixture,
  type Json,
  type ServiceFixture,
  type ServiceFixtureOptions,
} from "../../testing/service-fixture.ts";
import type { CancelContext } from "../context.ts";
import { simulatedBus } from "../simulator/simulated-bus.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

export type BusFixture = ServiceFixture & {
  /** A trip that departs in this many days, by its number in the timetable. */
  readonly trip: (number: number, days?: number) => string;
  readonly cancelContext: CancelContext;
};

export async function createBusFixture(options: ServiceFixtureOptions = {}): Promise<BusFixture> {
  const fixture = await createServiceFixture(options);
  const { clock } = fixture.orders;
  let pairs = 0;
  return {
    ...fixture,
    // Each trip is between another pair of cities, so that tests do not compete for seats.
    trip: (number, days = 5) => {
      const [from, to] = pairOf(pairs++);
      return `${from}-${to}-${indiaDate(clock.now() + days * DAY_MILLISECONDS).replaceAll("-", "")}-${number}`;
    },
    cancelContext: { ...fixture.ctx, providerServices: { bus: providersNamed({ simulator: simulatedBus() }) } },
  };
}

const CITY_IDS = ["BLR", "CHN", "HYD", "MUM", "PUN", "DEL", "JAI", "KOC", "GOA", "MYS"];

function pairOf(number: number): readonly [string, string] {
  const pairs = CITY_IDS.flatMap((from) => CITY_IDS.filter((to) => to !== from).map((to) => [from, to] as const));
  return pairs[number % pairs.length] ?? ["BLR", "CHN"];
}

export type SeatView = {
  readonly seat: string;
  readonly available: boolean;
  readonly gender: string;
  readonly fare: { readonly base: string; readonly tax: string; readonly total: string };
};

export async function seatsOf(client: Client, tripId: string): Promise<readonly SeatView[]> {
  const answer = await client.signed.get("/bus/seats", { trip_id: tripId });
  return answer.body["seats"] as readonly SeatView[];
}

/** Seats that are available to anybody. */
export async function freeSeats(client: Client, tripId: string, gender = "any"): Promise<readonly string[]> {
  return (await seatsOf(client, tripId)).filter((one) => one.available && one.gender === gender).map((one) => one.seat);
}

export function passenger(seat: string, more: Json = {}): Json {
  return { seat, title: "Ms", name: "Asha Rao", age: 34, gender: "F", ...more };
}

let requests = 0;
export const newReference = () => `bus-${++requests}`;

export function blockBody(tripId: string, seats: readonly string[], more: Json = {}): Json {
  return {
    request_id: newReference(),
    trip_id: tripId,
    boarding_id: "B1",
    passengers: seats.map((seat) => passenger(seat)),
    contact: { mobile: "9876543000", email: "asha@example.com" },
    ...more,
  };
}

export const block = (client: Client, tripId: string, seats: readonly string[], more: Json = {}) =>
  client.signed.post("/bus/block", blockBody(tripId, seats, more));

export function book(client: Client, blocked: Answer, more: Json = {}): Promise<Answer> {
  const { block_ref, total } = blocked.body;
  return client.signed.post("/bus/book", { request_id: newReference(), block_ref, amount: total, ...more });
}

export type Held = { readonly tripId: string; readonly seats: readonly string[]; readonly blocked: Answer };

/** Blocks this many seats of a trip. */
export async function hold(
  fixture: BusFixture,
  client: Client,
  wanted: Partial<{ trip: number; days: number; seats: number; mobile: string }>,
): Promise<Held> {
  const tripId = fixture.trip(wanted.trip ?? 1, wanted.days ?? 5);
  const seats = (await freeSeats(client, tripId)).slice(0, wanted.seats ?? 2);
  const contact = { mobile: wanted.mobile ?? "9876543000", email: "asha@example.com" };
  const blocked = await block(client, tripId, seats, { contact });
  if (blocked.status !== 200) throw new Error(`Not held: ${JSON.stringify(blocked.body)}`);
  return { tripId, seats, blocked };
}

export type TicketView = {
  readonly ticket_no: string;
  readonly pnr: string;
  readonly seats: readonly string[];
  readonly cancelled_seats: readonly string[];
};
export type Booked = Held & { readonly ticketNo: string; readonly orderId: string; readonly total: number };

/** Books this many seats of a trip. */
export async function buy(fixture: BusFixture, client: Client, wanted: Parameters<typeof hold>[2] = {}): Promise<Booked> {
  const held = await hold(fixture, client, wanted);
  const booked = await book(client, held.blocked);
  if (booked.body["status"] !== "SUCCESS") throw new Error(`Not booked: ${JSON.stringify(booked.body)}`);
  return {
    ...held,
    ticketNo: ticketOf(booked).ticket_no,
    orderId: String(booked.body["order_id"]),
    total: Number(held.blocked.body["total"]),
  };
}

export function ticketOf(answer: Answer): TicketView {
  return answer.body["ticket"] as TicketView;
}

export const quote = (client: Client, ticketNo: string, seats: readonly string[]) =>
  client.signed.get("/bus/cancel", { ticket_no: ticketNo, seats: seats.join(",") });

export async function cancel(client: Client, ticketNo: string, seats: readonly string[], more: Json = {}): Promise<Answer> {
  const { body } = await quote(client, ticketNo, seats);
  const quoteRef = body["quote_ref"] ?? "none";
  return client.signed.post("/bus/cancel", { request_id: newReference(), ticket_no: ticketNo, seats, quote_ref: quoteRef, ...more });
}

export async function balanceOf(client: Client): Promise<number> {
  return Number((await client.get("/balance")).body["balance"]);
}

/** A refusal of this service, with its code and HTTP status. */
export function refusal(answer: Answer): Json {
  const { ok, status, error, code } = answer.body;
  return { http: answer.status, ok, status, error, code };
}

export const refusedWith = (http: number, error: string, code: number) => ({ http, ok: false, status: "rejected", error, code });
