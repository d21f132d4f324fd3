import { type ReactNode, useRef } from "react";
import { Notice } from "../../../ui/page.tsx";
import type { Faults, Parsed } from "../definition/definition.ts";
import { operationNames } from "../editor/add-operation.ts";
import { placeOf } from "../editor/fault-place.ts";
import { type JsonNode, nodeAt, readTree } from "../editor/json-tree.ts";
import { placeholderNames } from "../editor/placeholders.ts";
import type { Schema } from "../editor/schema.ts";
import { fieldFaults } from "./field-faults.ts";
import { resolveField } from "./field-shape.ts";
import { type DocumentEditor, FormProvider } from "./form-context.ts";
import { FormField } from "./form-field.tsx";
import { GroupFields } from "./group-field.tsx";
import { formSections, sectionOfPath } from "./sections.ts";

type DescriptionFormProps = {
  readonly schema: Schema;
  readonly text: string;
  readonly parsed: Parsed;
  readonly faults: Faults["places"];
  /** The label of the section that is shown, or the name of an operation. */
  readonly section: string;
  readonly document: DocumentEditor;
};

/** One section of a description as a form. While the JSON is not valid, the form shows the last valid text and cannot be changed. */
export function DescriptionForm({ schema, text, parsed, faults, section, document }: DescriptionFormProps): ReactNode {
  const valid = useRef(parsed.ok ? text : "{}");
  if (parsed.ok) valid.current = text;
  const tree = readTree(valid.current);
  const isOperation = operationNames(schema).includes(section);
  const own = isOperation ? faults : faults.filter(([path]) => sectionOfPath(path) === section);
  const context = { ...document, root: schema, faults: fieldFaults(own), variables: placeholderNames(tree), Field: FormField };
  return (
    <FormProvider value={context}>
      {!parsed.ok && <InvalidText text={text} parsed={parsed} />}
      <fieldset disabled={!parsed.ok} className="min-w-0 space-y-4" aria-label={section}>
        <legend className="mb-3 font-semibold text-base">{section}</legend>
        {isOperation ? (
          <OperationFields schema={schema} name={section} tree={tree} />
        ) : (
          <SectionFields schema={schema} section={section} tree={tree} />
        )}
      </fieldset>
    </FormProvider>
  );
}

function InvalidText({ text, parsed }: { readonly text: string; readonly parsed: Extract<Parsed, { readonly ok: false }> }): ReactNode {
  const { line, column } = placeOf(text, parsed.at);
  return (
    <Notice tone="bad">
      The JSON is not valid at line {line}, column {column}: {parsed.why} The form shows the text before this error. Correct the JSON to
      continue here.
    </Notice>
  );
}

type PartProps = { readonly schema: Schema; readonly tree: JsonNode | null };

function OperationFields({ schema, name, tree }: PartProps & { readonly name: string }): ReactNode {
  const part = schema.properties?.["operations"]?.properties?.[name] ?? {};
  const steps = ["operations", name];
  const node = nodeAt(tree, steps);
  if (node === null) return <p className="text-soft">The description does not have this operation. Add it with the button above.</p>;
  const shape = resolveField(schema, part, node)?.shape;
  return shape?.kind === "group" ? (
    <GroupFields key={name} fields={shape.fields} required={shape.required} steps={steps} node={node} />
  ) : null;
}

function SectionFields({ schema, section, tree }: PartProps & { readonly section: string }): ReactNode {
  const fields = formSections(schema).find(({ label }) => label === section)?.fields ?? [];
  const own = Object.fromEntries(fields.flatMap((name) => (schema.properties?.[name] ? [[name, schema.properties[name]]] : [])));
  // Members of other sections are not unknown here.
  const others = new Set(Object.keys(schema.properties ?? {}).filter((name) => !fields.includes(name)));
  const node = tree && { ...tree, members: tree.members.filter(({ name }) => !others.has(name)) };
  const required = (schema.required ?? []).filter((name) => fields.includes(name));
  return <GroupFields key={section} fields={own} required={required} steps={[]} node={node} />;
}
