/** `GET /project` and `GET /stats`. */
import { contentVersion } from "../store/store-values.ts";
import { listedLanguages, totals } from "../store/store-rows.ts";
import { percentage } from "../webhooks/queue-deliveries.ts";
import type { ProjectRecord } from "../specification-decisions.ts";
import { dataResponse, type Endpoint } from "./endpoint.ts";

export const getProject: Endpoint = {
  method: "GET",
  path: "/project",
  scope: "read",
  handle: ({ store, settings }) => {
    const record = store.read((connection): ProjectRecord => {
      const languages = listedLanguages(connection);
      return {
        slug: settings.slug,
        name: settings.name,
        type: settings.type,
        sourceLocale: languages[0]?.locale ?? settings.sourceLocale,
        contentVersion: contentVersion(connection),
        languages: languages.map(({ locale, name, fallback }, index) => ({
          locale,
          name,
          isSource: index === 0,
          fallback,
        })),
        exportProfiles: settings.exportProfiles.map((profile) => ({
          key: profile.key,
          name: profile.name,
          format: profile.files[0]?.format ?? "",
          locales: profile.locales,
          missing: profile.missing,
        })),
      };
    });
    return dataResponse(record);
  },
};

/** § Language progress entry. For the source language, `translated` counts the keys with a source text. */
export const getStats: Endpoint = {
  method: "GET",
  path: "/stats",
  scope: "read",
  handle: ({ store }) =>
    dataResponse(
      store.read((connection) => {
        const { active, withSource } = totals(connection);
        return {
          contentVersion: contentVersion(connection),
          languages: listedLanguages(connection).map((language, index) => {
            const isSource = index === 0;
            const translated = isSource ? withSource : language.translated;
            return {
              locale: language.locale,
              name: language.name,
              isSource,
              totalKeys: active,
              translated,
              outdated: isSource ? 0 : language.outdated,
              qaErrors: isSource ? 0 : language.errors,
              percent: percentage(translated, active),
              lastTranslatedAt: language.lastTranslatedAt,
            };
          }),
        };
      }),
    ),
};
