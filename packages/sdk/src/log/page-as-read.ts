import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** What a page says that is not verified yet: an answer that is no object says nothing, and is found invalid later. */
export function pageAsRead(text: string): JsonObject {
  try {
    const page: unknown = JSON.parse(text);
    return isJsonObject(page) ? page : {};
  } catch {
    return {};
  }
}
