import { type Batcher, type BatcherOptions, createBatcher } from "./batcher.ts";
import { failure, isLocked } from "./database-errors.ts";

/** A batcher whose items belong to somebody, whose locked rows must not hold up everybody else's. */
export type KeyedBatcher<Item, Answer> = Omit<Batcher<Item, Answer>, "stalledSince"> & {
  readonly isSetAside: (key: string) => boolean;
  /** How long several have waited for something to be written, and nothing was; 0 while all is well. */
  readonly stalledMilliseconds: () => number;
};

export type KeyedBatcherOptions<Item, Answer> = Omit<BatcherOptions<Item, Answer>, "run" | "ownerOf"> & {
  readonly keyOf: (item: Item) => string;
  /** Fails with `lock_timeout` when a row it needs stays locked; it has written nothing then. */
  readonly run: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** The same for the items of entry key; waits for locks for a moment only. */
  readonly runApart: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Which of these keys have locked rows, as far as that can be seen at once. */
  readonly findLocked: (keys: readonly string[]) => Promise<readonly string[]>;
  /** How long an item that was set blocked may wait; null for entry that must be written in the end. */
  readonly patienceMilliseconds: (item: Item) => number | null;
};

const ROUND_MILLISECONDS = 150;
const MAX_BLOCKED_PER_KEY = 1_000;

/**
 * Runs everything in batches. When a lock keeps a batch from being written, the keys that are locked are set blocked and
 * tried by themselves until they are free; the others go on without them.
 */
export function createKeyedBatcher<Item, Answer>(options: KeyedBatcherOptions<Item, Answer>): KeyedBatcher<Item, Answer> {
  const progress: Progress = { wroteAt: performance.now(), blockedSince: null };
  const tracked: KeyedBatcherOptions<Item, Answer> = {
    ...options,
    run: async (items) => recordWrite(progress, await options.run(items)),
    runApart: async (items) => recordWrite(progress, await options.runApart(items)),
  };
  const blocked = createBlockedItems(tracked, progress);
  const run = async (items: readonly Item[]) => {
    try {
      return await tracked.run(items);
    } catch (error) {
      if (!isLocked(error)) throw error;
      return await runSeparately(tracked, blocked, items);
    }
  };
  const batcher = createBatcher<Item, Answer>({ ...options, ownerOf: options.keyOf, run });
  return {
    submit: (item) => (blocked.size() > 0 && blocked.has(options.keyOf(item)) ? blocked.put(item) : batcher.submit(item)),
    load: batcher.load,
    ahead: batcher.ahead,
    waitSeconds: batcher.waitSeconds,
    isSetAside: blocked.has,
    stalledMilliseconds: () => {
      // One account's lock is that account's trouble; several, and nobody else who gets through, is the service's.
      const since = batcher.stalledSince() ?? (blocked.size() > 1 ? progress.blockedSince : null);
      return since === null ? 0 : performance.now() - Math.max(since, progress.wroteAt);
    },
  };
}

/** When something was last written, and since when keys are set blocked without a break. */
type Progress = { wroteAt: number; blockedSince: number | null };

function recordWrite<Answers>(progress: Progress, answers: Answers): Answers {
  progress.wroteAt = performance.now();
  return answers;
}

type Later<Answer> = Answer | Promise<Answer>;

/** Finds out whose rows are locked, sets those items blocked and writes the others. */
async function runSeparately<Item, Answer>(
  options: KeyedBatcherOptions<Item, Answer>,
  blocked: BlockedItems<Item, Answer>,
  items: readonly Item[],
): Promise<readonly Later<Answer>[]> {
  const keys = [...new Set(items.map(options.keyOf))];
  const locked = new Set(await options.findLocked(keys).catch(() => []));
  const answers = new Map<Item, Later<Answer>>();
  for (const item of items) if (locked.has(options.keyOf(item))) answers.set(item, withHandledRejection(blocked.put(item)));
  const free = items.filter((item) => !answers.has(item));
  // When no lock was seen it is somewhere else than on the rows that were looked at: only trying tells whose it is.
  const isDone = free.length === 0 || (locked.size > 0 && (await tryItems(options.run, free, answers, null)));
  if (!isDone) for (const group of groupBy(free, options.keyOf)) await tryItems(options.runApart, group, answers, blocked.put);
  return items.map((item) => answers.get(item) as Later<Answer>);
}

/** False when a lock was in the way and nobody takes the items then. */
async function tryItems<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  items: readonly Item[],
  answers: Map<Item, Later<Answer>>,
  whenLocked: ((item: Item) => Promise<Answer>) | null,
): Promise<boolean> {
  try {
    const found = await run(items);
    for (const [index, item] of items.entries()) answers.set(item, found[index] as Answer);
    return true;
  } catch (error) {
    if (isLocked(error) && whenLocked === null) return false;
    const fail = () => Promise.reject<Answer>(error);
    for (const item of items) answers.set(item, withHandledRejection(isLocked(error) && whenLocked !== null ? whenLocked(item) : fail()));
    return true;
  }
}

type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly until: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

/** What waits for locked rows, by key. */
type BlockedItems<Item, Answer> = {
  readonly put: (item: Item) => Promise<Answer>;
  readonly has: (key: string) => boolean;
  readonly size: () => number;
};

function createBlockedItems<Item, Answer>(options: KeyedBatcherOptions<Item, Answer>, progress: Progress): BlockedItems<Item, Answer> {
  const blocked = new Map<string, Waiting<Item, Answer>[]>();

  function put(item: Item): Promise<Answer> {
    const key = options.keyOf(item);
    const waiting = blocked.get(key) ?? [];
    const patience = options.patienceMilliseconds(item);
    if (waiting.length >= MAX_BLOCKED_PER_KEY && patience !== null) return Promise.reject(lockedError());
    if (blocked.size === 0) void serve();
    blocked.set(key, waiting);
    progress.blockedSince ??= performance.now();
    const until = performance.now() + (patience ?? Number.POSITIVE_INFINITY);
    return new Promise((resolve, reject) => waiting.push({ item, until, resolve, reject }));
  }

  // One key at a time, so that it never takes more than entry connection from the others.
  async function serve(): Promise<void> {
    do {
      await new Promise((resolve) => setTimeout(resolve, ROUND_MILLISECONDS));
      const locked = new Set(await options.findLocked([...blocked.keys()]).catch(() => [...blocked.keys()]));
      for (const [key, waiting] of [...blocked]) {
        if (!locked.has(key)) await tryAgain(options.runApart, waiting);
        failOverdue(waiting);
        if (waiting.length === 0) blocked.delete(key);
      }
    } while (blocked.size > 0);
    progress.blockedSince = null;
  }

  return { put, has: (key) => blocked.has(key), size: () => blocked.size };
}

async function tryAgain<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  waiting: Waiting<Item, Answer>[],
): Promise<void> {
  const entries = waiting.splice(0);
  try {
    const answers = await run(entries.map((entry) => entry.item));
    for (const [index, entry] of entries.entries()) entry.resolve(answers[index] as Answer);
  } catch (error) {
    if (isLocked(error)) waiting.unshift(...entries);
    else for (const entry of entries) entry.reject(error);
  }
}

function failOverdue<Item, Answer>(waiting: Waiting<Item, Answer>[]): void {
  const now = performance.now();
  const all = waiting.splice(0);
  waiting.push(...all.filter((entry) => entry.until > now));
  for (const entry of all) if (entry.until <= now) entry.reject(lockedError());
}

function lockedError(): Error {
  return failure("55P03", "Another session has locked this account's rows.");
}

/** The batcher waits for it only later: until then nobody looks whether it fails. */
function withHandledRejection<Answer>(answer: Promise<Answer>): Promise<Answer> {
  answer.catch(() => {});
  return answer;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly (readonly Item[])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}
