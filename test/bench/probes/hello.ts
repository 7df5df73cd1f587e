/** H: what the machine serves when the Worker does nothing. */
export default {
  fetch: () => Response.json({ hello: 'world' }),
} satisfies ExportedHandler;
