// Five turns of one conversation, with nothing but `fetch`: what is measured is not an SDK of a vendor.
const turns = 5;

export class BenchAgent {
  async run({ text }, { baseUrl, apiKey, httpClient = fetch }) {
    const url = `${baseUrl ?? process.env.LLM_BASE_URL}/chat/completions`;
    const headers = {
      authorization: `Bearer ${apiKey ?? process.env.LLM_API_KEY}`,
      'content-type': 'application/json',
    };
    const messages = [{ role: 'user', content: text }];
    for (let turn = 0; turn < turns; turn += 1) {
      const body = JSON.stringify({ model: 'any', messages });
      const response = await httpClient(url, { method: 'POST', headers, body });
      if (!response.ok) throw new Error(`The proxy answered ${response.status}: ${await response.text()}`);
      const { choices } = await response.json();
      messages.push(choices[0].message, { role: 'user', content: `Turn ${turn}: ${text}` });
    }
    return 1;
  }
}
