import type { ReactNode } from "react";
import type { JsonNode } from "../editor/json-tree.ts";
import { faultsBelow } from "./field-faults.ts";
import { initialValue, type Resolved, resolveField } from "./field-shape.ts";
import { type FieldProps, useForm } from "./form-context.ts";
import { GroupFields } from "./group-field.tsx";
import { ListItems } from "./list-field.tsx";
import { MapEntries } from "./map-field.tsx";
import { FieldBox, FieldFrame, PartFaults } from "./parts.tsx";
import { ScalarField } from "./scalar-field.tsx";
import { summaryOf } from "./summary.ts";

/** One field of the form, made from its part of the schema. */
export function FormField({ schema, steps, node, label, isInRow = false, onRemove, onMoveUp }: FieldProps): ReactNode {
  const { root, faults } = useForm();
  const resolved = resolveField(root, schema, node);
  const frame = { label, onRemove, onMoveUp };
  const messages = faultsBelow(faults, steps);
  if (resolved === null || (node !== null && isOfAnotherKind(resolved, node))) {
    return (
      <FieldFrame {...frame}>
        <p className="font-medium">{label}</p>
        <p className="text-soft text-xs">The form cannot show this value. Edit it in the JSON.</p>
        <PartFaults messages={messages} />
      </FieldFrame>
    );
  }
  const { shape, help, alternatives } = resolved;
  const kind = alternatives.length > 1 && <KindChoice resolved={resolved} steps={steps} node={node} label={label} />;
  if (isPart(shape)) {
    const summary = summaryOf(node);
    return (
      <FieldBox
        {...frame}
        title={summary === null ? label : `${label}: ${summary}`}
        help={isInRow ? "" : help}
        isOpen={summary === null && steps.at(-1) !== "samples"}
        hasFaults={messages.length > 0}
      >
        {kind}
        <PartContent shape={shape} steps={steps} node={node} />
      </FieldBox>
    );
  }
  return (
    <FieldFrame {...frame}>
      <div className="flex flex-wrap gap-1">
        <div className="min-w-0 flex-1 basis-40">
          <ScalarField shape={shape} steps={steps} node={node} label={label} help={help} isInRow={isInRow} />
        </div>
        {kind}
      </div>
    </FieldFrame>
  );
}

type PartShape = Extract<Resolved["shape"], { readonly kind: "group" | "map" | "list" }>;

function isPart(shape: Resolved["shape"]): shape is PartShape {
  return shape.kind === "group" || shape.kind === "map" || shape.kind === "list";
}

function PartContent({ shape, ...at }: { readonly shape: PartShape } & Pick<FieldProps, "steps" | "node">): ReactNode {
  if (shape.kind === "group") return <GroupFields fields={shape.fields} required={shape.required} {...at} />;
  return shape.kind === "map" ? <MapEntries value={shape.value} names={shape.names} {...at} /> : <ListItems item={shape.item} {...at} />;
}

const CONTAINERS: Readonly<Record<string, string>> = { group: "object", map: "object", list: "array" };

/** A value of a wrong type is left as it is, because a field for another type would overwrite it. */
function isOfAnotherKind({ shape }: Resolved, node: JsonNode): boolean {
  const container = CONTAINERS[shape.kind];
  return container === undefined ? node.kind === "object" || node.kind === "array" : node.kind !== container;
}

type KindProps = { readonly resolved: Resolved } & Pick<FieldProps, "steps" | "node" | "label">;

/** Chooses between the ways to write a value, such as a text or a list. */
function KindChoice({ resolved: { alternatives, chosen }, steps, node, label }: KindProps): ReactNode {
  const { root, set } = useForm();
  const choose = (index: number) => {
    const next = alternatives[index];
    if (next !== undefined) set(steps, initialValue(root, next.schema, membersOf(node)));
  };
  return (
    <select
      aria-label={`Kind of ${label}`}
      className="input flex-1 basis-24 self-end"
      value={String(chosen)}
      onChange={(event) => choose(Number(event.target.value))}
    >
      {alternatives.map((one, index) => (
        <option key={one.label} value={String(index)}>
          {one.label}
        </option>
      ))}
    </select>
  );
}

function membersOf(node: JsonNode | null): Readonly<Record<string, unknown>> {
  return Object.fromEntries((node?.members ?? []).map(({ name, node: value }) => [name, plainValue(value)]));
}

function plainValue(node: JsonNode | null): unknown {
  if (node === null) return null;
  if (node.kind === "object") return membersOf(node);
  return node.kind === "array" ? node.items.map(plainValue) : node.scalar;
}
