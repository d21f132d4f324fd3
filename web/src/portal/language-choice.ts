import { type Language, switchLanguage } from "../messages/languages.ts";
import { toastError } from "../ui/overlays/toast.tsx";
import { post } from "./api.ts";
import { useSession } from "./session.ts";

/** Stores the language with the member, so that it also applies at their other browsers, and shows the page in it. */
export function useLanguageChoice(): (language: Language) => void {
  const session = useSession();
  // Staff who view a client's portal change nothing at the service, and visitors have no user yet.
  const isMember = session !== null && !session.viewing;
  const choose = async (language: Language) => {
    if (isMember) await post("/language", { language });
    switchLanguage(language);
  };
  return (language) => void choose(language).catch(toastError);
}
