import { useLocation, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { Bookmark, Trash2 } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type FormEvent, type ReactNode, useState } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";
import { Button, IconButton } from "../button.tsx";
import { Field } from "../forms/field.tsx";
import { menuClasses, menuItemClasses } from "../menu-classes.ts";
import { Dialog } from "../overlays/dialog.tsx";
import { useStored } from "../stored.ts";

type View = { readonly name: string; readonly search: Readonly<Record<string, string>> };

const MAX_NAME_LENGTH = 40;

function readViews(stored: unknown): readonly View[] {
  return Array.isArray(stored) ? stored.filter((one) => typeof one?.name === "string" && typeof one?.search === "object") : [];
}

/** Filters of a page that the user has named. This browser keeps them. */
export function SavedViews({ names }: { readonly names: readonly string[] }): ReactNode {
  const { basepath } = useRouter();
  const page = useLocation({ select: ({ pathname }) => pathname.split("/").slice(0, 2).join("/") });
  const values: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const [views, setViews] = useStored(`corprail-views ${basepath}${page}`, readViews);
  const [isNaming, setNaming] = useState(false);
  const active = names.filter((name) => values[name] !== undefined);
  const open = ({ search }: View) => {
    const cleared = Object.fromEntries(names.map((name) => [name, undefined]));
    void navigate({ to: ".", search: ((before: object) => ({ ...before, ...cleared, ...search })) as never, resetScroll: false });
  };
  const save = (name: string) => {
    const search = Object.fromEntries(active.map((key) => [key, String(values[key])]));
    setViews([...views.filter((view) => view.name !== name), { name, search }]);
    setNaming(false);
  };
  if (views.length === 0 && active.length === 0) return null;
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger asChild>
          <Button look="quiet" icon={Bookmark} className="mt-5">
            {uiText.views}
          </Button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content align="end" sideOffset={6} aria-label={uiText.savedViews} className={menuClasses}>
            {views.map((view) => (
              <DropdownMenu.Item key={view.name} onSelect={() => open(view)} className={menuItemClasses}>
                {view.name}
              </DropdownMenu.Item>
            ))}
            <DropdownMenu.Item onSelect={() => setNaming(true)} className={menuItemClasses}>
              <Bookmark aria-hidden className="size-4" />
              {active.length > 0 ? uiText.saveThisView : uiText.savedViews}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {isNaming && (
        <ViewsDialog
          views={views}
          maySave={active.length > 0}
          onSave={save}
          onDelete={(name) => setViews(views.filter((view) => view.name !== name))}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

type ViewsDialogProps = {
  readonly views: readonly View[];
  readonly maySave: boolean;
  readonly onSave: (name: string) => void;
  readonly onDelete: (name: string) => void;
  readonly onClose: () => void;
};

function ViewsDialog({ views, maySave, onSave, onDelete, onClose }: ViewsDialogProps): ReactNode {
  const [name, setName] = useState("");
  const [isTried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() !== "") onSave(name.trim());
  };
  return (
    <Dialog title={maySave ? uiText.saveThisView : uiText.savedViews} onClose={onClose}>
      <p className="mb-4 text-soft">{uiText.viewsAreKept}</p>
      {maySave && (
        <form onSubmit={submit} className="mb-4 space-y-4" noValidate>
          <Field
            label={uiText.viewName}
            value={name}
            maxLength={MAX_NAME_LENGTH}
            autoComplete="off"
            error={isTried && name.trim() === "" ? uiText.nameTheView : undefined}
            onChange={(event) => setName(event.target.value)}
          />
          <div className="flex justify-end">
            <Button type="submit" look="primary">
              {uiText.save}
            </Button>
          </div>
        </form>
      )}
      <ul aria-label={uiText.savedViews}>
        {views.map((view) => (
          <li key={view.name} className="flex items-center justify-between gap-3 border-line border-t">
            <span className="min-w-0 truncate">{view.name}</span>
            <IconButton icon={Trash2} label={fill(uiText.deleteView, { name: view.name })} onClick={() => onDelete(view.name)} />
          </li>
        ))}
        {views.length === 0 && !maySave && <li className="text-soft">{uiText.noViewsYet}</li>}
      </ul>
    </Dialog>
  );
}
