import type { Socket } from "node:net";
import { failure } from "../../../platform/db/database-errors.ts";
import type { Pools } from "../actors/process-parts.ts";
import type { Owner } from "./event-queue.ts";
import { FakeSocket } from "./fake-socket.ts";
import type { Random } from "./random.ts";
import type { Session, Storage } from "./storage.ts";
import { splitUnits, startupParameters, type Unit, welcome } from "./wire.ts";
import type { World } from "./world.ts";

type Link = {
  readonly session: Session;
  readonly owner: Owner;
  readonly pool: keyof Pools;
  readonly socket: FakeSocket;
  received: Buffer;
  arrivesAt: number;
  answersAt: number;
};

/** What happens to one unit of statements on its way. */
type Fault = "lost before" | "lost after" | "crash before" | "crash after" | "silent before" | "silent after" | "slow";

const LATENCY = { least: 0.2, spread: 1.5 };
const SLOW_MILLISECONDS = 4_000;
// Around the time at which the other process finds that one dead.
const LATE = { least: 10_000, spread: 40_000 };

/** The connections between the simulated processes and the storage, with everything that can go wrong on them. */
export class DatabaseNetwork {
  readonly #world: World;
  readonly #storage: Storage;
  readonly #random: Random;
  readonly #links = new Set<Link>();
  #turn: Link[] = [];
  #sessions = 0;
  #isDown = false;
  readonly #silent = new Set<Link>();

  constructor(world: World, storage: Storage) {
    this.#world = world;
    this.#storage = storage;
    this.#random = world.random.fork("database");
  }

  /** Opens connections for a process. */
  dialFor(owner: Owner, pool: keyof Pools): () => Socket {
    return () => this.#connect(owner, pool).asSocket();
  }

  /** The server restarts: every connection is lost, and what was committed stays. */
  goDown(milliseconds: number): void {
    this.#isDown = true;
    for (const link of [...this.#links]) this.#cut(link);
    this.#world.time.after(milliseconds, () => {
      this.#isDown = false;
    });
  }

  /** The server notices that a process is gone. */
  hangUp(owner: Owner): void {
    for (const link of [...this.#links]) if (link.owner === owner) this.#end(link);
    this.#work();
  }

  /** Whether some process waits for an answer that will never come. */
  hasSilence(): boolean {
    for (const link of this.#silent) if (!link.owner.isAlive || link.socket.readyState === "closed") this.#silent.delete(link);
    return this.#silent.size > 0;
  }

  #connect(owner: Owner, pool: keyof Pools): FakeSocket {
    const { time } = this.#world;
    const later = (run: () => void) => void time.after(0, run, owner, true);
    if (this.#isDown) {
      const refused = new FakeSocket(
        () => {},
        () => {},
        later,
      );
      time.after(1, () => refused.closed(failure("ECONNREFUSED", "The simulated database is down.")), owner);
      return refused;
    }
    const session: Session = { id: ++this.#sessions, role: null, waiting: [], prepared: [], isOpen: true };
    const socket: FakeSocket = new FakeSocket(
      (bytes) => this.#sent(link, bytes),
      () => this.#hungUp(link),
      later,
    );
    const link: Link = { session, owner, pool, socket, received: Buffer.alloc(0), arrivesAt: 0, answersAt: 0 };
    this.#links.add(link);
    return socket;
  }

  #latency(): number {
    return LATENCY.least + this.#random.next() * LATENCY.spread;
  }

  /** Bytes that a process has written. They arrive even if the process dies meanwhile. */
  #sent(link: Link, bytes: Buffer): void {
    const { time } = this.#world;
    link.arrivesAt = Math.max(link.arrivesAt, time.now + this.#latency());
    time.after(link.arrivesAt - time.now, () => this.#arrived(link, bytes), null, true);
  }

  #hungUp(link: Link): void {
    this.#world.time.after(this.#latency(), () => {
      this.#end(link);
      this.#work();
    });
  }

  #arrived(link: Link, bytes: Buffer): void {
    if (!this.#links.has(link)) return;
    link.received = Buffer.concat([link.received, bytes]);
    if (link.session.role === null && !this.#start(link)) return;
    const { units, rest } = splitUnits(link.received);
    link.received = rest;
    for (const unit of units) {
      link.session.waiting.push(unit);
      this.#turn.push(link);
    }
    this.#work();
  }

  /** The first message of a connection. */
  #start(link: Link): boolean {
    const { received } = link;
    if (received.length < 4 || received.length < received.readInt32BE(0)) return false;
    const length = received.readInt32BE(0);
    const role = startupParameters(received.subarray(0, length)).get("role") ?? "postgres";
    Object.assign(link.session, { role });
    link.received = received.subarray(length);
    this.#answer(link, welcome(link.session.id));
    return true;
  }

  /** Runs what waits, in the order of arrival. While one session is in a transaction, only that one goes on. */
  #work(): void {
    for (;;) {
      const place = this.#turn.findIndex((link) => !this.#storage.isTaken(link.session));
      const [link] = place < 0 ? [] : this.#turn.splice(place, 1);
      if (!link) return;
      const unit = link.session.waiting.shift();
      if (unit && this.#links.has(link)) this.#serve(link, unit);
    }
  }

  #serve(link: Link, unit: Unit): void {
    if (unit.isLast) {
      this.#end(link);
      return;
    }
    if (link.pool === "writer" && this.#world.crashesAtBatch(link.owner)) {
      this.#runLate(link, unit);
      return;
    }
    const fault = this.#faultOf();
    if (fault !== null) this.#world.countFault(`database: ${fault}`);
    if (fault?.endsWith("before")) {
      this.#fail(link, fault);
      return;
    }
    const { bytes, answer } = this.#storage.run(link.session, unit);
    this.#world.step("database", `${link.session.id} ${answer.status ?? "-"}`);
    if (fault?.endsWith("after")) this.#fail(link, fault);
    else this.#answer(link, bytes, fault === "slow" ? this.#random.next() * SLOW_MILLISECONDS : 0);
  }

  #fail(link: Link, fault: Fault): void {
    if (fault.startsWith("crash")) this.#world.crash(link.owner);
    else if (fault.startsWith("lost")) this.#cut(link);
    else this.#silence(link);
  }

  /** The process crashes, and the server goes on with its statement until it notices. */
  #runLate(link: Link, unit: Unit): void {
    this.#world.countFault("database: executed after a crash");
    this.#links.delete(link);
    this.#turn = this.#turn.filter((one) => one !== link);
    this.#world.crash(link.owner);
    const run = () => {
      if (this.#storage.isTaken(link.session)) return void this.#world.time.after(1, run);
      this.#storage.run(link.session, unit);
      this.#world.step("database", `${link.session.id} late`);
      this.#storage.end(link.session);
      this.#work();
    };
    this.#world.time.after(LATE.least + this.#random.next() * LATE.spread, run);
  }

  #faultOf(): Fault | null {
    if (!this.#world.isActive() || !this.#random.chance(this.#world.faultRate("database"))) return null;
    return this.#random.pick<Fault>([
      ...([
        "lost before",
        "lost before",
        "lost after",
        "lost after",
        "lost after",
        "lost after",
        "silent before",
        "silent after",
        "slow",
      ] as const),
      ...(this.#world.mayCrash() ? (["crash before", "crash after", "crash after"] as const) : []),
    ]);
  }

  #answer(link: Link, bytes: Buffer, extraMilliseconds = 0): void {
    const { time } = this.#world;
    if (bytes.length === 0) return;
    link.answersAt = Math.max(link.answersAt, time.now + this.#latency() + extraMilliseconds);
    time.after(link.answersAt - time.now, () => link.socket.readyState === "open" && link.socket.emit("data", bytes), link.owner, true);
  }

  /** The connection breaks: the server ends the session, the process learns of it a moment later. */
  #cut(link: Link): void {
    this.#end(link);
    const reset = failure("ECONNRESET", "The simulated connection was lost.");
    this.#world.time.after(this.#latency(), () => link.socket.readyState === "open" && link.socket.closed(reset), link.owner);
  }

  /** The connection breaks, and the process hears nothing at all. Its watchdog must notice. */
  #silence(link: Link): void {
    this.#end(link);
    this.#silent.add(link);
  }

  #end(link: Link): void {
    this.#links.delete(link);
    this.#turn = this.#turn.filter((one) => one !== link);
    this.#storage.end(link.session);
  }
}
