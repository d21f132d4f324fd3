export type EventKind = {
  /** Runs again and again by itself, such as a poll of the database. Idle time is not spent on these. */
  readonly isBackground: boolean;
  /** Carries something between two parts, for whatever reason. */
  readonly isQuiet: boolean;
  /** Zero for an event that happens once. */
  readonly everyMilliseconds: number;
  /** The delay with which it was scheduled. */
  readonly delayMilliseconds: number;
};

/** One thing that will happen at a virtual time. */
export type Event = EventKind & {
  at: number;
  /** Events of the same time happen in the order in which they were scheduled. */
  order: number;
  readonly owner: Owner | null;
  readonly run: () => void;
  isCancelled: boolean;
};

/** A simulated process. Its events no longer happen after its death. */
export type Owner = { readonly name: string; isAlive: boolean; clockOffset: number };

/** A binary heap: the earliest event first. */
export class EventQueue {
  #events: Event[] = [];

  push(event: Event): void {
    const events = this.#events;
    let place = events.length;
    events.push(event);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = events[parent];
      if (!above || !isBefore(event, above)) break;
      events[place] = above;
      place = parent;
    }
    events[place] = event;
  }

  /** The earliest event that can still happen. */
  peek(): Event | undefined {
    for (let first = this.#events[0]; first; first = this.#events[0]) {
      if (!first.isCancelled && (first.owner === null || first.owner.isAlive)) return first;
      this.#removeFirst();
    }
    return undefined;
  }

  pop(): Event | undefined {
    const first = this.peek();
    if (first) this.#removeFirst();
    return first;
  }

  /** Takes out everything that can still happen, unsorted. */
  takeAll(): Event[] {
    const all = this.#events.filter((event) => !event.isCancelled && (event.owner === null || event.owner.isAlive));
    this.#events = [];
    return all;
  }

  #removeFirst(): void {
    const events = this.#events;
    const last = events.pop();
    if (!last || events.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const right = events[child + 1];
      if (right && isBefore(right, events[child] ?? right)) child++;
      const below = events[child];
      if (!below || !isBefore(below, last)) break;
      events[place] = below;
      place = child;
    }
    events[place] = last;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
