import { useLocation, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/**
 * The token behind the # of a mailed link, which is in no Referer and in no server's log. It leaves the address once
 * it is read: not in a screenshot, not in the history. A second link opened in the same tab takes the first one's place.
 */
export function useLinkToken(): string {
  const given = useLocation({ select: (location) => location.hash });
  const router = useRouter();
  const [kept, setKept] = useState(given);
  useEffect(() => {
    if (given === "") return;
    setKept(given);
    router.history.replace(router.history.location.pathname);
  }, [given, router]);
  return kept;
}
