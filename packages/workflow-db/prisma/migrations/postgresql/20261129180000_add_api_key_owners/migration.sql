-- AlterTable
ALTER TABLE "ApiKey" ADD COLUMN     "ownerId" TEXT,
ADD COLUMN     "serviceAccountName" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "surfaces" TEXT NOT NULL DEFAULT '';
