import { isTransaction, type OperationName, type QueryName, type TransactionName } from "@corprail/connector";
import type { Description } from "../definition.ts";
import type { QueryDefinition, TransactionDefinition } from "../language/operations.ts";
import type { Conditions, ReadDefinition, Reader } from "../language/read.ts";
import type { RequestDefinition } from "../language/request.ts";
import type { QueryRule, SendRule, StatusRule } from "../language/rules.ts";
import type { Samples } from "../language/samples.ts";

/** One call of an operation, with the description's defaults filled in. */
export type Step<Rule> = {
  readonly name: string;
  readonly when: Conditions;
  /** This call moves the money. */
  readonly sends: boolean;
  readonly request: RequestDefinition;
  readonly read: ReadDefinition;
  readonly rules: readonly Rule[];
  readonly save: Readonly<Record<string, Reader>>;
  readonly samples: Samples;
  /** Where it is in the description, for faults. */
  readonly place: string;
};

export type Plan<Rule> = {
  /** For evidence, such as recharge.pay or recharge.pay.status. */
  readonly operation: string;
  readonly steps: readonly Step<Rule>[];
  readonly timeoutMilliseconds: number;
};

type Stepped<Rule> = {
  readonly request?: RequestDefinition | undefined;
  readonly read?: ReadDefinition | undefined;
  readonly outcome?: readonly Rule[] | undefined;
  readonly save?: Readonly<Record<string, Reader>> | undefined;
  readonly samples?: Samples | undefined;
  readonly steps?:
    | readonly (Stepped<Rule> & {
        readonly name: string;
        readonly when?: Conditions | undefined;
        readonly sends?: boolean | undefined;
        readonly request: RequestDefinition;
      })[]
    | undefined;
  readonly timeout_seconds?: number | undefined;
};

/** The name of the only step of an operation that is written without steps. */
export const ONLY_STEP = "only";

function planOf<Rule>(
  definition: Description,
  operation: string,
  place: string,
  stepped: Stepped<Rule>,
  usual: readonly Rule[],
): Plan<Rule> {
  const written = stepped.steps ?? [];
  const anySends = written.some(({ sends }) => sends === true);
  const timeoutMilliseconds = Math.round((stepped.timeout_seconds ?? definition.timeouts.whole_seconds) * 1000);
  const read = (own: ReadDefinition | undefined): ReadDefinition => ({ ...definition.read, ...own });
  if (stepped.request !== undefined) {
    const { request, outcome, save, samples } = stepped;
    const only = {
      name: ONLY_STEP,
      when: {},
      sends: true,
      request,
      read: read(stepped.read),
      rules: outcome ?? usual,
      save: save ?? {},
      samples: samples ?? {},
      place,
    };
    return { operation, timeoutMilliseconds, steps: [only] };
  }
  const steps = written.map((step, position) => ({
    name: step.name,
    when: step.when ?? {},
    sends: anySends ? step.sends === true : position === written.length - 1,
    request: step.request,
    read: read(step.read),
    rules: step.outcome ?? usual,
    save: step.save ?? {},
    samples: step.samples ?? {},
    place: `${place}.steps[${position}]`,
  }));
  return { operation, timeoutMilliseconds, steps };
}

export function transactionOf(definition: Description, name: TransactionName): TransactionDefinition | undefined {
  return definition.operations[name];
}

export function queryOf(definition: Description, name: QueryName): QueryDefinition | undefined {
  return definition.operations[name];
}

const sendPlans = new WeakMap<TransactionDefinition, { readonly definition: Description; readonly plan: Plan<SendRule> }>();

export function sendPlan(definition: Description, name: TransactionName, transaction: TransactionDefinition): Plan<SendRule> {
  // The same for every order of a description.
  const known = sendPlans.get(transaction);
  if (known?.definition === definition) return known.plan;
  const plan = planOf<SendRule>(definition, name, `operations.${name}`, transaction, []);
  sendPlans.set(transaction, { definition, plan });
  return plan;
}

export function statusPlan(definition: Description, name: TransactionName, transaction: TransactionDefinition): Plan<StatusRule> {
  return planOf<StatusRule>(definition, `${name}.status`, `operations.${name}.status`, transaction.status, []);
}

/** A query whose description has no rules is answered by HTTP 200. */
const USUAL_QUERY: readonly QueryRule[] = [{ when: { $http: 200 }, means: "answered" }];

export function queryPlan(definition: Description, name: QueryName, query: QueryDefinition): Plan<QueryRule> {
  return planOf<QueryRule>(definition, name, `operations.${name}`, query, USUAL_QUERY);
}

/** All calls of a description with the operation that they belong to. */
export type PlannedOperation = {
  readonly name: OperationName;
  readonly part: "send" | "status";
  readonly place: string;
  readonly plan: Plan<SendRule> | Plan<StatusRule> | Plan<QueryRule>;
};

export function allPlans(definition: Description): readonly PlannedOperation[] {
  return (Object.keys(definition.operations) as OperationName[]).flatMap((name): readonly PlannedOperation[] => {
    const place = `operations.${name}`;
    if (!isTransaction(name)) {
      const query = queryOf(definition, name);
      return query ? [{ name, part: "send", place, plan: queryPlan(definition, name, query) }] : [];
    }
    const transaction = transactionOf(definition, name);
    if (!transaction) return [];
    return [
      { name, part: "send", place, plan: sendPlan(definition, name, transaction) },
      { name, part: "status", place: `${place}.status`, plan: statusPlan(definition, name, transaction) },
    ];
  });
}
