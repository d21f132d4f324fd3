export type ServiceDefinition = {
  readonly name: string;
  /** What one of its transactions is called in a sentence. */
  readonly transaction: string;
  readonly signing: "optional" | "required";
};

// Every service of the installation. All but recharge are signed (spec, Versioning, rule 5), so a new one need not say so.
export const SERVICES = {
  recharge: { name: "Recharge", transaction: "recharge", signing: "optional" },
  bills: signed("Bill payments", "bill payment"),
  transfers: signed("Money transfer", "money transfer"),
  bus: signed("Bus booking", "bus booking"),
  aeps: signed("AEPS", "AEPS transaction"),
} as const satisfies Record<string, ServiceDefinition>;

export type ServiceName = keyof typeof SERVICES;

export const SERVICE_NAMES = Object.keys(SERVICES) as readonly ServiceName[];

export function isServiceName(text: string): text is ServiceName {
  return Object.hasOwn(SERVICES, text);
}

function signed(name: string, transaction: string): ServiceDefinition {
  return { name, transaction, signing: "required" };
}
