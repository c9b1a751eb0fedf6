-- AlterTable
ALTER TABLE "Webhook" ADD COLUMN "verification" JSONB;
ALTER TABLE "Webhook" ADD COLUMN "secretRef" TEXT;
ALTER TABLE "Webhook" ADD COLUMN "secretKeyId" TEXT;
ALTER TABLE "Webhook" ADD COLUMN "secretText" TEXT;
ALTER TABLE "Webhook" ADD COLUMN "paramsFilter" TEXT;
ALTER TABLE "Webhook" ADD COLUMN "callsPerMinute" INTEGER NOT NULL DEFAULT 60;

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "webhookId" TEXT NOT NULL,
    "receivedAt" DATETIME NOT NULL,
    "isAuthentic" BOOLEAN NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" TEXT,
    "message" TEXT,
    "deliveryId" TEXT,
    "replayKey" TEXT,
    "headers" JSONB NOT NULL,
    "bytes" INTEGER NOT NULL,
    "body" TEXT,
    "address" TEXT NOT NULL,
    "dagRunId" TEXT,
    "redeliveryOf" TEXT,
    CONSTRAINT "WebhookDelivery_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES "Webhook" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "webhook_delivery_newest_idx" ON "WebhookDelivery"("webhookId", "isAuthentic", "receivedAt");

-- CreateIndex
CREATE INDEX "webhook_delivery_replay_key_idx" ON "WebhookDelivery"("webhookId", "replayKey");
