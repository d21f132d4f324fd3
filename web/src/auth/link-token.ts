import { useLocation, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/**
 * * The token after the # of a mailed link. Browsers never send that part, so it is in no Referer header and no server log.
 * * It is removed from the URL once it is read, to keep it out of the history. A second link in the same tab replaces it.
 */
export function useLinkToken(): string {
  const hash = useLocation({ select: (location) => location.hash });
  const router = useRouter();
  const [token, setToken] = useState(hash);
  useEffect(() => {
    if (hash === "") return;
    setToken(hash);
    router.history.replace(router.history.location.pathname);
  }, [hash, router]);
  return token;
}
