import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { toast, toastError } from "../../ui/overlays/toast.tsx";
import { Facts } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { post } from "../api.ts";
import { KeyExpiry } from "./expiry.tsx";
import { accessText, effectiveAccessText, type Key, readKey, useKeyChange } from "./key.ts";

export function KeyDrawer(): ReactNode {
  const { keyId } = useParams({ from: "/console/keys/$keyId" });
  const navigate = useNavigate();
  const query = useQuery({ queryKey: ["/keys", keyId], queryFn: ({ signal }) => readKey(keyId, signal) });
  const close = () => void navigate({ to: "/keys" });
  return (
    <Drawer title={query.data?.name ?? "Operator key"} onClose={close}>
      <QueryView query={query} skeleton={<SkeletonCard />}>
        {(key) => <KeyDetails operatorKey={key} onDeleted={close} />}
      </QueryView>
    </Drawer>
  );
}

function KeyDetails({ operatorKey, onDeleted }: { readonly operatorKey: Key; readonly onDeleted: () => void }): ReactNode {
  const [asking, setAsking] = useState(false);
  const { key_id: keyId, name, source_addresses: addresses } = operatorKey;
  const remove = useKeyChange(() => post("/keys/:key_id/delete", { key_id: keyId }));
  const run = () =>
    remove.mutate(undefined, {
      onError: toastError,
      onSuccess: () => {
        toast(`The key ${name} was deleted.`);
        onDeleted();
      },
      onSettled: () => setAsking(false),
    });
  return (
    <>
      <Facts
        facts={[
          ["Name", name],
          ["Id", <Code key="id" text={keyId} />],
          ["Created", <Time key="made" value={operatorKey.created_at} />],
          ["Access now", effectiveAccessText(operatorKey)],
          ["Created with", accessText(operatorKey.role)],
          ["Works from", addresses.length === 0 ? "Everywhere" : addresses.join(", ")],
          ["Expires", <KeyExpiry key="expires" operatorKey={operatorKey} />],
          ["Last used", <Time key="used" value={operatorKey.last_used_at} none="Never" />],
          ["Last used from", operatorKey.last_used_from ?? "–"],
        ]}
      />
      <section className="flex flex-wrap gap-2 border-line border-t pt-5">
        <LinkButton to="/audit" search={{ actor: `key:${keyId}` }}>
          Show what it changed
        </LinkButton>
        <LinkButton to="/audit" search={{ subject_kind: "operator_key", subject_id: keyId }}>
          Show who created it
        </LinkButton>
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete key
        </Button>
      </section>
      {asking && (
        <ConfirmDialog
          title={`Delete the key ${name}?`}
          action="Delete"
          danger
          busy={remove.isPending}
          onClose={() => setAsking(false)}
          onConfirm={run}
        >
          Programs that use this key will be refused immediately. This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  );
}
