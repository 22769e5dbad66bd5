/** `GET /project`, `GET /stats` and `GET /jobs/{jobId}`. */
import { notFound } from "../http/error-responses.ts";
import { jobRecord } from "../jobs.ts";
import { contentVersion, listedLanguages, totals } from "../store/store-rows.ts";
import { percentage } from "../send-webhooks.ts";
import { dataResponse, type Handler } from "./endpoint.ts";

export const getProject: Handler = ({ store, settings }) => {
  const languages = listedLanguages(store.reader);
  return dataResponse({
    slug: settings.slug,
    name: settings.name,
    type: settings.type,
    sourceLocale: languages[0]?.locale ?? settings.sourceLocale,
    contentVersion: contentVersion(store.reader),
    languages: languages.map(({ locale, name, fallback }, index) => ({
      locale,
      name,
      isSource: index === 0,
      fallback,
    })),
    exportProfiles: settings.exportProfiles.map(({ key, name, files, locales, missing }) => ({
      key,
      name,
      format: files[0]?.format ?? "",
      locales,
      missing,
    })),
  });
};

/** § Language progress entry. For the source language, `translated` counts the keys with a source text. */
export const getStats: Handler = ({ store }) => {
  const { active, withSource } = totals(store.reader);
  const languages = listedLanguages(store.reader).map((language, index) => {
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
  });
  return dataResponse({ contentVersion: contentVersion(store.reader), languages });
};

export const getJob: Handler = (service, c) => {
  const jobId = c.req.param("jobId") ?? "";
  const job = /^\d{1,15}$/u.test(jobId)
    ? jobRecord(service, service.store.reader, Number(jobId), c.get("messageLanguage"))
    : undefined;
  if (job === undefined) throw notFound();
  return dataResponse(job);
};
