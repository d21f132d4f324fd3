import type { Policy } from "../provider-service.ts";

/** One of a day's buses, the same for every pair of cities. */
export type Line = {
  /** The last part of the trip's id. */
  readonly number: number;
  readonly operator: string;
  readonly operatorName: string;
  readonly busType: string;
  readonly layout: "seater" | "sleeper";
  /** Minutes since midnight. */
  readonly departs: number;
  /** Percent of the pair's usual fare. */
  readonly farePercent: bigint;
  /** In hundredths of a percent; buses without air conditioning are not taxed. */
  readonly taxBasisPoints: bigint;
  readonly idProofRequired: boolean;
  readonly maxSeats: number;
  readonly partialCancel: boolean;
  readonly cancellation: Policy;
  /** By how much the fare rises when seats are blocked, in hundredths of a percent. */
  readonly risesBasisPoints: bigint;
  /** The bus operator refuses every cancellation. */
  readonly refusesCancellation: boolean;
};

const USUAL_POLICY: Policy = [
  { hoursBefore: 24, basisPoints: 1_000 },
  { hoursBefore: 12, basisPoints: 2_500 },
  { hoursBefore: 4, basisPoints: 5_000 },
  { hoursBefore: 0, basisPoints: 10_000 },
];
const STRICT_POLICY: Policy = [
  { hoursBefore: 48, basisPoints: 1_250 },
  { hoursBefore: 6, basisPoints: 6_000 },
  { hoursBefore: 0, basisPoints: 10_000 },
];

const USUAL = {
  layout: "seater",
  farePercent: 100n,
  taxBasisPoints: 500n,
  idProofRequired: false,
  maxSeats: 6,
  partialCancel: true,
  cancellation: USUAL_POLICY,
  risesBasisPoints: 0n,
  refusesCancellation: false,
} as const;

const minutes = (hours: number, more = 0) => hours * 60 + more;

// docs/simulator.md explains the special behaviour of each.
export const TIMETABLE: readonly Line[] = [
  {
    ...USUAL,
    number: 1,
    operator: "KVT",
    operatorName: "Kaveri Travels",
    busType: "Non-AC Seater (2+2)",
    departs: minutes(6, 15),
    farePercent: 70n,
    taxBasisPoints: 0n,
  },
  {
    ...USUAL,
    number: 2,
    operator: "NLB",
    operatorName: "Neeli Bus",
    busType: "AC Seater (2+2)",
    departs: minutes(9),
    idProofRequired: true,
  },
  {
    ...USUAL,
    number: 3,
    operator: "SHT",
    operatorName: "Sharma Tours",
    busType: "AC Seater (2+2)",
    departs: minutes(13, 30),
    maxSeats: 4,
    partialCancel: false,
    cancellation: STRICT_POLICY,
  },
  {
    ...USUAL,
    number: 4,
    operator: "GRL",
    operatorName: "Garuda Lines",
    busType: "AC Sleeper (2+1)",
    layout: "sleeper",
    departs: minutes(20, 45),
    farePercent: 145n,
    risesBasisPoints: 500n,
  },
  {
    ...USUAL,
    number: 5,
    operator: "NLB",
    operatorName: "Neeli Bus",
    busType: "AC Sleeper (2+1)",
    layout: "sleeper",
    departs: minutes(22),
    farePercent: 140n,
    maxSeats: 2,
    refusesCancellation: true,
  },
  {
    ...USUAL,
    number: 6,
    operator: "KVT",
    operatorName: "Kaveri Travels",
    busType: "AC Sleeper (2+1)",
    layout: "sleeper",
    departs: minutes(23, 30),
    farePercent: 130n,
  },
];
