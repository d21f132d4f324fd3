type EventStreamOptions = {
  readonly onOpen?: () => void;
  readonly onMessage: (data: string) => void;
  /** `reconnecting` while the browser reconnects; `lost` when the stream is closed until the next retry. */
  readonly onInterrupted: (state: "reconnecting" | "lost") => void;
  /** Called before a lost stream is opened again. */
  readonly onRetry?: () => void;
  /** Makes an ordinary API request, so that an ended session leads to the sign-in page. */
  readonly checkSession: () => void;
  readonly retryMilliseconds: number;
  /** A stream without messages for this long is lost, and so is one with any error. */
  readonly silentMilliseconds?: number;
};

/** Connects to an event stream and reopens it when it is lost. Returns the function that closes it. */
export function connectEventStream(url: string, options: EventStreamOptions): () => void {
  let stream: EventSource | null = null;
  let silenceTimer: number | undefined;
  let retryTimer: number | undefined;
  const close = () => {
    stream?.close();
    window.clearTimeout(silenceTimer);
    window.clearTimeout(retryTimer);
  };
  const lose = () => {
    close();
    options.onInterrupted("lost");
    options.checkSession();
    retryTimer = window.setTimeout(() => {
      options.onRetry?.();
      connect();
    }, options.retryMilliseconds);
  };
  const watchSilence = () => {
    if (options.silentMilliseconds === undefined) return;
    window.clearTimeout(silenceTimer);
    silenceTimer = window.setTimeout(lose, options.silentMilliseconds);
  };
  const connect = () => {
    const opened = new EventSource(url);
    stream = opened;
    opened.onopen = () => {
      watchSilence();
      options.onOpen?.();
    };
    opened.onerror = () => {
      if (options.silentMilliseconds === undefined && opened.readyState !== EventSource.CLOSED) options.onInterrupted("reconnecting");
      else lose();
    };
    opened.onmessage = (event: MessageEvent<string>) => {
      watchSilence();
      options.onMessage(event.data);
    };
    watchSilence();
  };
  connect();
  return close;
}
