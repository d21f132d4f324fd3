import { failure, isLocked } from "../database-errors.ts";
import { type Batcher, type BatcherOptions, createBatcher } from "./batcher.ts";

/** A batcher in which the locked rows of one key (an account) do not delay the items of other keys. */
export type KeyedBatcher<Item, Answer> = Omit<Batcher<Item, Answer>, "stalledSince"> & {
  readonly isBlocked: (key: string) => boolean;
  /** For how long several keys have waited without any write; 0 if writes succeed. */
  readonly stalledMilliseconds: () => number;
};

export type KeyedBatcherOptions<Item, Answer> = Omit<BatcherOptions<Item, Answer>, "run" | "ownerOf"> & {
  readonly keyOf: (item: Item) => string;
  /** Writes a batch. Fails with `lock_timeout`, having written nothing, if a row stays locked. */
  readonly run: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Writes the items of one key, waiting only briefly for locks. */
  readonly runForOneKey: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Returns those of the keys whose rows are visibly locked. */
  readonly findLocked: (keys: readonly string[]) => Promise<readonly string[]>;
  /** How long a blocked item may wait; null for an item that must be written eventually. */
  readonly patienceMilliseconds: (item: Item) => number | null;
};

const ROUND_MILLISECONDS = 150;
// Longer than the Retry-After of a refused client. Between its attempts nothing waits, but the lock is still there.
const RECENT_MILLISECONDS = 5_000;
const MAX_BLOCKED_PER_KEY = 1_000;

/**
 * Runs items in batches. If a lock blocks a batch, the locked keys are taken out and retried separately until they are
 * free, and the other keys continue.
 */
export function createKeyedBatcher<Item, Answer>(options: KeyedBatcherOptions<Item, Answer>): KeyedBatcher<Item, Answer> {
  const progress: Progress = { wroteAt: performance.now(), blockedSince: 0, blockedAt: 0, blockedKeys: new Map() };
  const tracked: KeyedBatcherOptions<Item, Answer> = {
    ...options,
    run: async (items) => recordWrite(progress, await options.run(items)),
    runForOneKey: async (items) => recordWrite(progress, await options.runForOneKey(items)),
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
    isBlocked: blocked.has,
    stalledMilliseconds: () => {
      // A single locked key is not a fault of the service. Several locked keys without any successful write are.
      const since = batcher.stalledSince() ?? (countBlockedKeys(progress) > 1 ? progress.blockedSince : null);
      return since === null ? 0 : performance.now() - Math.max(since, progress.wroteAt);
    },
  };
}

/** The time of the last write, and the keys that a lock has blocked since then. */
type Progress = { wroteAt: number; blockedSince: number; blockedAt: number; readonly blockedKeys: Map<string, number> };

function recordWrite<Answers>(progress: Progress, answers: Answers): Answers {
  progress.wroteAt = performance.now();
  progress.blockedKeys.clear();
  return answers;
}

function recordBlocked(progress: Progress, key: string): void {
  const now = performance.now();
  if (now - progress.blockedAt > RECENT_MILLISECONDS) progress.blockedSince = now;
  progress.blockedAt = now;
  progress.blockedKeys.set(key, now);
}

function countBlockedKeys({ blockedKeys }: Progress): number {
  const now = performance.now();
  for (const [key, at] of blockedKeys) if (now - at > RECENT_MILLISECONDS) blockedKeys.delete(key);
  return blockedKeys.size;
}

type Later<Answer> = Answer | Promise<Answer>;

/** Takes out the items whose rows are locked and writes the others. */
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
  // If no lock was found, it is on other rows. Then only a separate run per key shows which key is locked.
  const isDone = free.length === 0 || (locked.size > 0 && (await tryItems(options.run, free, answers, null)));
  if (!isDone) for (const group of groupBy(free, options.keyOf)) await tryItems(options.runForOneKey, group, answers, blocked.put);
  return items.map((item) => answers.get(item) as Later<Answer>);
}

/** Runs the items and records their answers. False if a lock blocked them and `whenLocked` is null. */
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

/** Items that wait for locked rows, by key. */
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
    recordBlocked(progress, key);
    const until = performance.now() + (patience ?? Number.POSITIVE_INFINITY);
    return new Promise((resolve, reject) => waiting.push({ item, until, resolve, reject }));
  }

  // One key at a time, so that blocked keys use at most one connection.
  async function serve(): Promise<void> {
    do {
      await new Promise((resolve) => setTimeout(resolve, ROUND_MILLISECONDS));
      const locked = new Set(await options.findLocked([...blocked.keys()]).catch(() => [...blocked.keys()]));
      for (const [key, waiting] of [...blocked]) {
        if (!locked.has(key)) await tryAgain(options.runForOneKey, waiting);
        removeEnded(key, waiting);
      }
    } while (blocked.size > 0);
  }

  function removeEnded(key: string, waiting: Waiting<Item, Answer>[]): void {
    if (waiting.length > 0) recordBlocked(progress, key);
    failOverdue(waiting);
    if (waiting.length === 0) blocked.delete(key);
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

/** Marks the rejection as handled, because the batcher awaits the answer only later. */
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
