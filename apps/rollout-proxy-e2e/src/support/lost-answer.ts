/**
 * A `fetch` that loses the answer of its first call: it is received whole, so that the server has done its work, and
 * the client learns only that the connection broke.
 */
export function losingFirstAnswer(): { readonly fetch: typeof fetch; readonly attempts: () => number } {
  let attempts = 0;
  return {
    attempts: () => attempts,
    fetch: async (input, init) => {
      attempts += 1;
      const response = await fetch(input, init);
      if (attempts > 1) return response;
      await response.arrayBuffer();
      throw new TypeError('The connection was lost.');
    },
  };
}
