import { useTranslation } from "react-i18next";

export function Basket({ count }: { count: number }) {
  const { t } = useTranslation("common");

  return (
    <section aria-label={t("nav.basket")}>
      <h1>{t("app.title")}</h1>
      <p>{t("basketCount", { count })}</p>
    </section>
  );
}
