import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { statusSubscriptionsText } from "../../messages/en/status-subscriptions.ts";
import { fill } from "../../messages/fill.ts";
import type { PortalApi } from "../../portal-api.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, showFieldErrors } from "../../ui/forms/field.tsx";
import { Switch } from "../../ui/forms/switch.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { get, post } from "../api.ts";
import { useMay, useSession } from "../session.ts";

type Subscriptions = PortalApi["GET /status/subscriptions"]["reply"];

const subscriptionsQuery = queryOptions({
  queryKey: ["/status/subscriptions"],
  queryFn: ({ signal }) => get("/status/subscriptions", {}, signal),
});

/** Who is notified of incidents and maintenance. */
export function StatusSubscriptions(): ReactNode {
  const subscriptions = useQuery(subscriptionsQuery);
  return (
    <Card title={statusSubscriptionsText.notifications} hint={statusSubscriptionsText.hint}>
      <QueryView query={subscriptions} skeleton={<Skeleton className="h-40" />}>
        {(current) => (
          <div className="max-w-3xl space-y-6">
            <MailSwitch subscriptions={current} />
            <WebhookForm subscriptions={current} />
          </div>
        )}
      </QueryView>
    </Card>
  );
}

function MailSwitch({ subscriptions }: { readonly subscriptions: Subscriptions }): ReactNode {
  const queries = useQueryClient();
  const session = useSession();
  const { busy, error, attempt } = useAttempt();
  const change = (subscribed: boolean) =>
    attempt(async () => {
      queries.setQueryData(subscriptionsQuery.queryKey, await post("/status/subscriptions/mail", { subscribed }));
      toast(subscribed ? statusSubscriptionsText.subscribed : statusSubscriptionsText.unsubscribed);
    });
  const { mail, mail_is_set_up: isSetUp } = subscriptions;
  return (
    <>
      <Switch
        label={fill(statusSubscriptionsText.mail, { email: session?.user.email ?? "" })}
        hint={isSetUp ? statusSubscriptionsText.mailHint : statusSubscriptionsText.noMail}
        on={mail}
        disabled={busy || (!isSetUp && !mail)}
        onChange={(on) => void change(on)}
      />
      {error !== null && <ErrorCard error={error} />}
    </>
  );
}

function WebhookForm({ subscriptions }: { readonly subscriptions: Subscriptions }): ReactNode {
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const { webhook_url: current, callback_secret_set: hasSecret } = subscriptions;
  const isAllowed = useMay("builders");
  const { register, handleSubmit, setError, formState } = useForm({ values: { url: current ?? "" } });
  const save = handleSubmit((values) =>
    attempt(async () => {
      const url = values.url.trim() === "" ? null : values.url.trim();
      try {
        queries.setQueryData(subscriptionsQuery.queryKey, await post("/status/subscriptions/webhook", { url }));
        toast(url === null ? statusSubscriptionsText.webhookRemoved : statusSubscriptionsText.webhookSaved);
      } catch (refused) {
        if (!showFieldErrors(refused, ["url"], setError)) throw refused;
      }
    }),
  );
  return (
    <form onSubmit={(event) => void save(event)} noValidate className="space-y-4">
      <Field
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        readOnly={!isAllowed || (!hasSecret && current === null)}
        label={statusSubscriptionsText.webhook}
        placeholder="https://example.com/corprail/platform"
        hint={hasSecret ? statusSubscriptionsText.webhookHint : statusSubscriptionsText.needsSecret}
        error={formState.errors.url?.message}
        {...register("url")}
      />
      {error !== null && <ErrorCard error={error} />}
      {isAllowed && (
        <Button type="submit" look="primary" busy={busy} disabled={!formState.isDirty}>
          {statusSubscriptionsText.save}
        </Button>
      )}
    </form>
  );
}
