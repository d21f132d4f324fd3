export type ServiceDefinition = { readonly name: string; readonly signing: "optional" | "required" };

// Every service of the installation. All but recharge are signed (spec, Versioning, rule 5), so a new one need not say so.
export const SERVICES = {
  recharge: { name: "Recharge", signing: "optional" },
  bills: signed("Bill payments"),
  transfers: signed("Money transfer"),
  bus: signed("Bus booking"),
  aeps: signed("AEPS"),
} as const satisfies Record<string, ServiceDefinition>;

export type ServiceName = keyof typeof SERVICES;

export const SERVICE_NAMES = Object.keys(SERVICES) as readonly ServiceName[];

export function isServiceName(text: string): text is ServiceName {
  return Object.hasOwn(SERVICES, text);
}

function signed(name: string): ServiceDefinition {
  return { name, signing: "required" };
}
