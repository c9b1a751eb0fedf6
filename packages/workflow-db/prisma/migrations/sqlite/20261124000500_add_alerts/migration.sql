-- AlterTable
ALTER TABLE "EventSubscription" ADD COLUMN "lateAfterSeconds" INTEGER;
ALTER TABLE "EventSubscription" ADD COLUMN "staleAfterSeconds" INTEGER;

-- AlterTable
ALTER TABLE "OutboxEvent" ADD COLUMN "step" TEXT;
ALTER TABLE "OutboxEvent" ADD COLUMN "type" TEXT;

-- CreateTable
CREATE TABLE "AlertMark" (
    "subscriptionId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "at" DATETIME NOT NULL,

    PRIMARY KEY ("subscriptionId", "subject"),
    CONSTRAINT "AlertMark_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "EventSubscription" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
